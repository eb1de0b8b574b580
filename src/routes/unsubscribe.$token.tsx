import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { Unsubscription } from '#components/alert/unsubscription.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { unsubscriptionQuery } from '#queries/alerts.ts'
import { pageHead } from './-frame/page-title.ts'

export const Route = createFileRoute('/unsubscribe/$token')({
  staticData: { isPublic: true },
  loader: (load) => loadPageData(load, unsubscriptionQuery(load.params.token)),
  head: () => pageHead('Unsubscribe'),
  component: UnsubscribeScreen,
})

function UnsubscribeScreen() {
  const { token } = Route.useParams()
  const { data } = useSuspenseQuery(unsubscriptionQuery(token))
  return <Unsubscription view={data} />
}
