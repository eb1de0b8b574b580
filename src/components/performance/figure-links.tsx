import { Link } from '#components/ui/link.tsx'
import type { PerformancePeriod } from '#server/console/performance/views.ts'

interface FigureLinkProps {
  /** The slug of the project. */
  project: string
  id: string
  name: string
  period: PerformancePeriod
}

/** A link to the page of a transaction. */
export function TransactionLink({ project, id, name, period }: FigureLinkProps) {
  const text = <bdi>{name}</bdi>
  const search = period === '24h' ? {} : { period }
  return (
    <Link
      to="/performance/$project/$transaction"
      params={{ project, transaction: id }}
      search={search}
      className="row-link"
    >
      {text}
    </Link>
  )
}

/** Like `TransactionLink`, for a group of spans, which are not counted per minute. */
export function SpanGroupLink({ project, id, name, period }: FigureLinkProps) {
  const text = <bdi className="span-text">{name}</bdi>
  const search = period === '24h' || period === '1h' ? {} : { period }
  return (
    <Link
      to="/performance/$project/spans/$group"
      params={{ project, group: id }}
      search={search}
      className="row-link"
    >
      {text}
    </Link>
  )
}
