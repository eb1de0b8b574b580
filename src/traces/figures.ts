import { groupOfSpan } from './span-group.ts'
import { spansPerStep, type Span, type TraceSegment } from './span.ts'
import type { ScrubSql } from './sql-text.ts'
import {
  nameOfSegment,
  nameOfTransaction,
  nameOfUnseenTransaction,
  otherName,
  textOfTransaction,
  type NamedTransaction,
} from './transaction-name.ts'
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
  /** The environment; of a span its transaction (`textOfTransaction`); `lcp mobile` of a vital. */
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

/** The other inputs of figures. */
export interface FigureReading {
  maxCount: number
  /** The user agent of the request, for spans that have none: most browser SDKs leave it to the server. */
  userAgent?: string | undefined
  scrubSql: ScrubSql
}

/**
 * Figures of one segment, one for each name; spans with more names than `maxCount` are one per category.
 * Pauses between spans.
 */
export function* toFigures(segment: TraceSegment, context: FigureReading): Generator<undefined, Figure[]> {
  const figures = new Map<string, Figure>()
  const findTransaction = transactionsOf(segment)
  const { maxCount, userAgent, scrubSql } = context
  for (const [at, span] of segment.spans.entries()) {
    if (at % spansPerStep === spansPerStep - 1) yield undefined
    const transaction = findTransaction(span)
    const isFull = figures.size >= maxCount
    addSpan(figures, span, { segment, transaction, userAgent, isFull, scrubSql })
  }
  return [...figures.values()]
}

/**
 * Finds the transaction of a span: of the root span that it names, or that its parents lead to. Of others it
 * is the one of the segment.
 */
function transactionsOf(segment: TraceSegment): (span: Span) => NamedTransaction {
  const { spans, otherTransactions = new Map<string, string>() } = segment
  const [first] = spans
  const main = { name: nameOfSegment(segment), op: first.isSegment ? first.op : '' }
  /** Transactions by span id; initially those of root spans. */
  const known = new Map<string, NamedTransaction>()
  for (const [id, transaction] of otherTransactions)
    known.set(id, { name: nameOfUnseenTransaction({ ...segment, transaction }), op: '' })
  for (const root of spans)
    if (root.isSegment && root.spanId !== first.spanId)
      known.set(root.spanId, {
        name: nameOfTransaction(root, { ...segment, transactionSource: 'unknown' }),
        op: root.op,
      })
  known.set(first.spanId, main)
  if (known.size === 1) return () => main
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  return (span) => {
    const path: string[] = []
    let at: Span | undefined = span
    let found: NamedTransaction | undefined
    while (at !== undefined && found === undefined) {
      found = known.get(at.spanId) ?? known.get(at.segmentId ?? '')
      path.push(at.spanId)
      // Ends a cycle.
      known.set(at.spanId, found ?? main)
      at = byId.get(at.parentSpanId ?? '')
    }
    for (const id of path) known.set(id, found ?? main)
    return found ?? main
  }
}

interface Owner {
  segment: TraceSegment
  transaction: NamedTransaction
  userAgent: string | undefined
  /** True: spans with new names are counted under `otherName`. */
  isFull: boolean
  scrubSql: ScrubSql
}

function addSpan(
  figures: Map<string, Figure>,
  span: Span,
  { segment, transaction, userAgent, isFull, scrubSql }: Owner,
): void {
  const { environment, release } = segment
  const weight = 1 / segment.sampleRate
  const timed = { weight, isFailure: hasFailed(span), value: span.durationUs }
  if (span.isSegment)
    add(
      figures,
      { kind: 'transaction', name: transaction.name, op: span.op, facet: environment, release },
      timed,
    )
  // Spans of vitals and interactions have no duration of their own.
  else if (!/^ui\.(?:webvital|interaction)/.test(span.op)) {
    const { category, text } = groupOfSpan(span, scrubSql)
    const key = { kind: 'span', name: text, op: category, facet: textOfTransaction(transaction) } as const
    add(figures, isFull && !figures.has(textOfKey(key)) ? { ...key, name: otherName } : key, timed)
  }
  if (!span.isSegment && !span.op.startsWith('ui.')) return
  for (const [vital, value] of findVitals(span)) {
    const rating = rateVital(vital, value)
    add(
      figures,
      { kind: 'vital', name: transaction.name, op: '', facet: `${vital} ${deviceOf(span, userAgent)}` },
      {
        weight,
        isFailure: rating === 'poor',
        isGood: rating === 'good',
        value: Math.round(value * (vital === 'cls' ? 1_000_000 : 1000)),
      },
    )
  }
}

/** Status texts that are not failures although they are not `ok`; Sentry's. */
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
