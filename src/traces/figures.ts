import { groupOfSpan } from './span-group.ts'
import type { Span, TraceSegment } from './span.ts'
import { nameOfSegment, nameOfTransaction, otherName } from './transaction-name.ts'
import { deviceOf, findVitals, rateVital } from './web-vitals.ts'

/** The counts of one name in one envelope. */
export interface Figure {
  /**
   * `transaction`: root spans by name, op and environment. `span`: all others by group and the transaction
   * they belong to. `vital`: values of a web vital by route and device.
   */
  kind: 'transaction' | 'span' | 'vital'
  /** Of the transaction or route; the text of a span group. */
  name: string
  /** Of the transaction; the category of a span group; empty for a vital. */
  op: string
  /** The environment; of a span the name of its transaction; `lcp mobile` of a vital. */
  facet: string
  /** Of transactions. */
  release?: string
  count: number
  /** How many the sender had, of which it sent a share. */
  weight: number
  /** Transactions and spans that failed; vitals that are poor. */
  failureCount: number
  /** Vitals that are good. */
  goodCount: number
  /** Microseconds of all; of `cls` millionths. */
  sum: number
  /** Each duration in microseconds; of a vital its value times 1000, of `cls` times a million. */
  values: number[]
}

/**
 * Figures of one segment, one for each name; spans with more names than `maxCount` are one per category.
 * `userAgent` is of the request, for spans that have none: most SDKs of browsers leave it to the server.
 */
export function toFigures(
  segment: TraceSegment,
  { maxCount, userAgent }: { maxCount: number; userAgent?: string | undefined },
): Figure[] {
  const figures = new Map<string, Figure>()
  const [first] = segment.spans
  const names = new Map<string, string>()
  for (const span of segment.spans)
    if (span.isSegment && span.spanId !== first.spanId)
      names.set(span.spanId, nameOfTransaction(span, { ...segment, transactionSource: 'unknown' }))
  const main = nameOfSegment(segment)
  for (const span of segment.spans) {
    const transaction = names.get(span.isSegment ? span.spanId : (span.segmentId ?? '')) ?? main
    addSpan(figures, span, { segment, transaction, userAgent, isFull: figures.size >= maxCount })
  }
  return [...figures.values()]
}

interface Owner {
  segment: TraceSegment
  transaction: string
  userAgent: string | undefined
  /** Only names that are there already are counted apart. */
  isFull: boolean
}

function addSpan(
  figures: Map<string, Figure>,
  span: Span,
  { segment, transaction, userAgent, isFull }: Owner,
): void {
  const { environment, release } = segment
  const weight = 1 / segment.sampleRate
  const timed = { weight, isFailure: hasFailed(span), value: span.durationUs }
  if (span.isSegment)
    add(figures, { kind: 'transaction', name: transaction, op: span.op, facet: environment, release }, timed)
  // Spans of vitals and interactions have no duration of their own.
  else if (!/^ui\.(?:webvital|interaction)/.test(span.op)) {
    const { category, text } = groupOfSpan(span)
    const key = { kind: 'span', name: text, op: category, facet: transaction } as const
    add(figures, isFull && !figures.has(textOfKey(key)) ? { ...key, name: otherName } : key, timed)
  }
  if (!span.isSegment && !span.op.startsWith('ui.')) return
  for (const [vital, value] of findVitals(span)) {
    const rating = rateVital(vital, value)
    add(
      figures,
      { kind: 'vital', name: transaction, op: '', facet: `${vital} ${deviceOf(span, userAgent)}` },
      {
        weight,
        isFailure: rating === 'poor',
        isGood: rating === 'good',
        value: Math.round(value * (vital === 'cls' ? 1_000_000 : 1000)),
      },
    )
  }
}

/** Status texts that are no failure although they are not `ok`; Sentry's. */
const harmlessStatuses = new Set(['cancelled', 'unknown'])

function hasFailed(span: Span): boolean {
  return span.status === 'error' && !harmlessStatuses.has(span.statusText)
}

type FigureKey = Pick<Figure, 'kind' | 'name' | 'op' | 'facet' | 'release'>

function add(
  figures: Map<string, Figure>,
  key: FigureKey,
  {
    weight,
    isFailure,
    isGood = false,
    value,
  }: { weight: number; isFailure: boolean; isGood?: boolean; value: number },
): void {
  const text = textOfKey(key)
  let figure = figures.get(text)
  if (figure === undefined) {
    figure = { ...key, count: 0, weight: 0, failureCount: 0, goodCount: 0, sum: 0, values: [] }
    figures.set(text, figure)
  }
  figure.count += 1
  figure.weight += weight
  figure.failureCount += Number(isFailure)
  figure.goodCount += Number(isGood)
  figure.sum += value
  figure.values.push(value)
}

function textOfKey({ kind, name, op, facet }: FigureKey): string {
  return `${kind}\0${op}\0${name}\0${facet}`
}
