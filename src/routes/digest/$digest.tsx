import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, redirect } from '@tanstack/react-router'
import { DigestResult } from '#components/digest/digest-result.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { digestQuery } from '#queries/events.ts'
import { pageHead } from '#routes/-frame/page-title.ts'

export const Route = createFileRoute('/digest/$digest')({
  loader: async (load) => {
    const { matches, trace } = await loadPageData(load, digestQuery(load.params.digest))
    const [only, second] = matches
    if (trace !== undefined) {
      const { traceId, spanId } = trace
      throw redirect({ to: '/traces/$traceId', params: { traceId }, search: { span: spanId }, replace: true })
    }
    if (only === undefined || second !== undefined) return
    throw redirect({ to: '/events/$eventId', params: { eventId: only.eventId }, replace: true })
  },
  head: (page) => pageHead(`Digest ${page.params.digest}`, page),
  component: DigestResultScreen,
})

function DigestResultScreen() {
  const { digest } = Route.useParams()
  const { data } = useSuspenseQuery(digestQuery(digest))
  return <DigestResult view={data} />
}
