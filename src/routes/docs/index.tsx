import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { GuidePage } from '#components/guide/guide-page.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { guideQuery } from '#queries/guides.ts'
import { pageTitle } from '#routes/-frame/page-title.ts'

export const Route = createFileRoute('/docs/')({
  loader: (load) => loadPageData(load, guideQuery()),
  ...routeTimes('settled'),
  head: () => ({ meta: [{ title: pageTitle('Documentation') }] }),
  component: GuideIndexScreen,
})

function GuideIndexScreen() {
  const { data } = useSuspenseQuery(guideQuery())
  return <GuidePage view={data} />
}
