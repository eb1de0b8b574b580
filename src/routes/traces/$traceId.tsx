import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { SpanDetails } from '#components/trace/span-details.tsx'
import { TracePage } from '#components/trace/trace-page.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { spanQuery, traceQuery, wholeTraceQuery } from '#queries/traces.ts'
import { pageHead } from '#routes/-frame/page-title.ts'
import { traceSearch } from '#server/console/traces/traces.search.ts'

export const Route = createFileRoute('/traces/$traceId')({
  validateSearch: traceSearch,
  loaderDeps: ({ search }) => search,
  loader: async (load) => {
    const { traceId } = load.params
    const { span } = load.deps
    const [trace] = await Promise.all([
      loadPageData(load, traceQuery(traceId)),
      span === undefined ? undefined : loadPageData(load, spanQuery(traceId, span)),
    ])
    return trace
  },
  head: (page) => pageHead(`Trace ${page.params.traceId.slice(0, 8)}`, page),
  component: TraceScreen,
})

function TraceScreen() {
  const { traceId } = Route.useParams()
  const { span } = Route.useSearch()
  const { data } = useSuspenseQuery(traceQuery(traceId))
  const { whole, rest } = useWholeTrace(traceId)
  return (
    <TracePage view={whole ?? data} rest={rest} selectedId={span}>
      {span === undefined ? null : <SelectedSpan traceId={traceId} spanId={span} />}
    </TracePage>
  )
}

/** All rows of a trace, once they have been requested. */
function useWholeTrace(traceId: string) {
  const [requestedId, setRequestedId] = useState<string>()
  const { data, isFetching, isError, refetch } = useQuery({
    ...wholeTraceQuery(traceId),
    enabled: requestedId === traceId,
  })
  const request = useCallback(() => setRequestedId(traceId), [traceId])
  const rest = { isLoading: isFetching, hasFailed: isError, request, retry: () => void refetch() }
  return { whole: data, rest }
}

function SelectedSpan({ traceId, spanId }: { traceId: string; spanId: string }) {
  const { data } = useSuspenseQuery(spanQuery(traceId, spanId))
  return <SpanDetails traceId={traceId} view={data} />
}
