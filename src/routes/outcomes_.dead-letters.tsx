import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { DeadLetterList } from '#components/outcome/dead-letter-list.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { useAction } from '#queries/changes/use-action.ts'
import { deadLetterAction } from '#queries/dead-letter-action.ts'
import { deadLettersQuery } from '#queries/dead-letters.ts'
import { pageTitle } from './-frame/page-title.ts'

export const Route = createFileRoute('/outcomes_/dead-letters')({
  loader: (load) => loadPageData(load, deadLettersQuery()),
  ...routeTimes('live'),
  head: () => ({ meta: [{ title: pageTitle('Dead letters') }] }),
  component: DeadLettersScreen,
})

function DeadLettersScreen() {
  const { data } = useSuspenseQuery(deadLettersQuery())
  const retryAction = useAction(deadLetterAction)
  return <DeadLetterList view={data} retryAction={retryAction} />
}
