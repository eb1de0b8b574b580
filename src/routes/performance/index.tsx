import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { PerformancePage } from '#components/performance/performance-page.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { performanceQuery } from '#queries/performance.ts'
import { pageTitle } from '#routes/-frame/page-title.ts'
import { performanceSearch } from '#server/console/performance/performance.search.ts'

export const Route = createFileRoute('/performance/')({
  validateSearch: performanceSearch,
  loaderDeps: ({ search }) => search,
  loader: (load) => loadPageData(load, performanceQuery(load.deps)),
  ...routeTimes('live'),
  head: () => ({ meta: [{ title: pageTitle('Performance') }] }),
  component: PerformanceScreen,
})

function PerformanceScreen() {
  const search = Route.useSearch()
  const { data } = useSuspenseQuery(performanceQuery(search))
  return <PerformancePage view={data} search={search} />
}
