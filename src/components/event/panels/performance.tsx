import { spanDurationText } from '#components/performance/figure-text.ts'
import { CodeBlock } from '#components/ui/code-block.tsx'
import { DefinitionList } from '#components/ui/definition-list.tsx'
import { exactCount } from '#numbers/number-text.ts'
import type { PerformanceEvidence } from '#traces/performance-evidence.ts'

const advice = {
  n_plus_one_queries: 'One query runs for each row of the preceding query. Fetch all rows in one query.',
  slow_query: 'The query is slow. Check its query plan: an index may be missing.',
  n_plus_one_requests: 'The page sends a separate request for each item. Return all items in one request.',
}

const labels = {
  n_plus_one_queries: 'Repeated query',
  slow_query: 'Slow query',
  n_plus_one_requests: 'Repeated request',
}

/** The slow or repeated query or request, with count and duration. */
export function PerformancePanel({ evidence }: { evidence: PerformanceEvidence }) {
  const { kind, text, source, spanCount, totalMs, longestMs } = evidence
  return (
    <>
      <p className="panel-text">{advice[kind]}</p>
      <DefinitionList
        layout="facts"
        items={[
          { term: 'Spans', description: exactCount(spanCount) },
          { term: 'Total time', description: spanDurationText(Math.round(totalMs * 1000)) },
          { term: 'Longest', description: spanDurationText(Math.round(longestMs * 1000)) },
        ]}
      />
      {source === undefined ? null : <CodeBlock code={source} label="Preceding query" />}
      <CodeBlock code={text} label={labels[kind]} />
    </>
  )
}
