import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { SpanGroupPage } from '#components/performance/span-group-page.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { spanGroupQuery } from '#queries/performance.ts'
import { pageHead } from '#routes/-frame/page-title.ts'
import { spanGroupSearch } from '#server/console/performance/performance.search.ts'

export const Route = createFileRoute('/performance/$project/spans/$group')({
  validateSearch: spanGroupSearch,
  loaderDeps: ({ search }) => search,
  loader: (load) => loadPageData(load, spanGroupQuery(load.params, load.deps)),
  head: (page) => pageHead(page.loaderData?.name ?? 'Spans', page),
  component: SpanGroupScreen,
})

function SpanGroupScreen() {
  const { data } = useSuspenseQuery(spanGroupQuery(Route.useParams(), Route.useSearch()))
  return <SpanGroupPage view={data} />
}
