import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { PerformancePeriod } from '#server/console/performance/views.ts'

interface FigureLinkProps {
  /** The slug of the project. */
  project: string
  id: string
  name: string
  period: PerformancePeriod
}

/** On the server it renders a plain anchor, as in the stream of issues, because it costs less. */
export function TransactionLink({ project, id, name, period }: FigureLinkProps) {
  const text = <bdi>{name}</bdi>
  const search = period === '24h' ? {} : { period }
  if (import.meta.env.SSR) return <RowAnchor path={`${project}/${id}`} search={search} text={text} />
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
  if (import.meta.env.SSR) return <RowAnchor path={`${project}/spans/${id}`} search={search} text={text} />
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

function RowAnchor({
  path,
  search: { period },
  text,
}: {
  path: string
  search: { period?: PerformancePeriod }
  text: ReactNode
}) {
  return (
    <a className="row-link" href={`/performance/${path}${period === undefined ? '' : `?period=${period}`}`}>
      {text}
    </a>
  )
}
