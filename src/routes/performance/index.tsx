import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { PerformancePage } from '#components/performance/performance-page.tsx'
import { performanceQuery } from '#queries/performance.ts'
import { pageRoute } from '#routes/-frame/page-route.ts'
import { performanceSearch } from '#server/console/performance/performance.search.ts'

export const Route = createFileRoute('/performance/')({
  validateSearch: performanceSearch,
  loaderDeps: ({ search }) => search,
  ...pageRoute('Performance', performanceQuery),
  component: PerformanceScreen,
})

function PerformanceScreen() {
  const search = Route.useSearch()
  const { data } = useSuspenseQuery(performanceQuery(search))
  return <PerformancePage view={data} search={search} />
}
