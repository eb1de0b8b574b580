import { errorAnswer } from '#server/api/api-answer.ts'
import type { ApiCall } from '#server/api/api-route.ts'
import type { FigureRange } from '#server/store/figures/read-figures.ts'
import { dayMs, dayOf, hourOf } from '#time/time-steps.ts'

/** The subjects of a table's rows, or of the lines of a series. */
export interface FigureSubject {
  kind: 'transaction' | 'span'
  /** Only groups of spans of this category, or transactions with this op. */
  op?: string | undefined
  /** A part of the name. */
  text: string
}

export const unreadableSubject = errorAnswer(
  400,
  'The query matches a part of a name: transaction:checkout. For spans: span.description:orders, span.op:db, is_transaction:true.',
)

/** Parses the query of a dataset; undefined for an unsupported query. */
export function readFigureSubject(
  dataset: 'transactions' | 'spans',
  query: string,
): FigureSubject | undefined {
  const subject: FigureSubject = { kind: dataset === 'spans' ? 'span' : 'transaction', text: '' }
  const rest = splitWords(query).filter((word) => {
    const [, key, value = ''] = termPattern.exec(word) ?? []
    if (key === 'is_transaction' && /^(?:true|1)$/.test(value)) subject.kind = 'transaction'
    // Groups of spans have the category of their spans: `db` of `db.query`.
    else if (key === 'span.op' || key === 'span.category') subject.op = value.split('.', 1)[0]
    else if (key === 'transaction.op') subject.op = value
    return key === undefined
  })
  const text = readName(rest.join(' ').replace(/^span\.description:/, 'transaction:'))
  return text === undefined ? undefined : Object.assign(subject, { text })
}

const termPattern = /^(is_transaction|span\.op|span\.category|transaction\.op):"?([\w.]+)"?$/

/** Figures of longer ranges are read per day. Hourly figures are kept for 30 days. */
const hourlyRangeMs = 8 * dayMs

/** Whether the figures of a range are read per hour, and not per day. */
export function isReadByHour({ since, until }: { since: number; until: number }): boolean {
  return until - since <= hourlyRangeMs
}

/** The range of figures that a request reads. Spans are not counted by environment. */
export function toFigureRange(
  { url: { searchParams } }: ApiCall,
  { kind, projectIds, since, until }: ReadRange,
): FigureRange {
  const isHourly = isReadByHour({ since, until })
  const environments = searchParams.getAll('environment').filter((name) => name !== '')
  return {
    projectIds,
    series: kind === 'transaction' ? 'transaction' : 'group',
    step: isHourly ? 'hour' : 'day',
    from: isHourly ? hourOf(since) : dayOf(since),
    to: until,
    facet: kind === 'span' || environments.length === 0 ? undefined : environments,
  }
}

interface ReadRange {
  kind: FigureSubject['kind']
  projectIds: readonly number[]
  since: number
  until: number
}

/** Splits a query into words; quoted words count as one. */
function splitWords(query: string): string[] {
  return query.split(/\s+(?=(?:[^"]*"[^"]*")*[^"]*$)/)
}

/** The part of a name in a query; undefined for other queries. */
function readName(query: string): string | undefined {
  const words = splitWords(query).filter((word) => word !== '' && word !== 'event.type:transaction')
  const [word = '', ...others] = words
  if (others.length > 0) return undefined
  const [, named] = /^transaction:(.*)$/.exec(word) ?? []
  const text = (named ?? word).replaceAll(/^"|"$|^\*|\*$/g, '')
  return named === undefined && text.includes(':') ? undefined : text
}
