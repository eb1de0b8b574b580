import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { OutcomeReport } from '#components/outcome/outcome-report.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { outcomesQuery } from '#queries/outcomes.ts'
import { outcomeSearch } from '#server/console/outcomes/outcomes.search.ts'
import { pageTitle } from './-frame/page-title.ts'

export const Route = createFileRoute('/outcomes')({
  validateSearch: outcomeSearch,
  loaderDeps: ({ search }) => search,
  loader: (load) => loadPageData(load, outcomesQuery(load.deps)),
  ...routeTimes('live'),
  head: () => ({ meta: [{ title: pageTitle('Ingestion') }] }),
  component: OutcomesScreen,
})

function OutcomesScreen() {
  const search = Route.useSearch()
  const { data } = useSuspenseQuery(outcomesQuery(search))
  return <OutcomeReport view={data} search={search} />
}
