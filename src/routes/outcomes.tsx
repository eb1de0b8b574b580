import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { OutcomeReport } from '#components/outcome/outcome-report.tsx'
import { outcomesQuery } from '#queries/outcomes.ts'
import { outcomeSearch } from '#server/console/outcomes/outcomes.search.ts'
import { pageRoute } from './-frame/page-route.ts'

export const Route = createFileRoute('/outcomes')({
  validateSearch: outcomeSearch,
  loaderDeps: ({ search }) => search,
  ...pageRoute('Ingestion', outcomesQuery),
  component: OutcomesScreen,
})

function OutcomesScreen() {
  const search = Route.useSearch()
  const { data } = useSuspenseQuery(outcomesQuery(search))
  return <OutcomeReport view={data} search={search} />
}
