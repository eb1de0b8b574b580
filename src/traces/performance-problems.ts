import { isSqlRead, isSqlStatement, queryText, repeatableText } from './query-text.ts'
import { findAttribute, spansPerStep, type Span, type TraceSegment } from './span.ts'
import type { ScrubSql } from './sql-text.ts'
import { parametrizePath, splitUrl } from './url-text.ts'

/** The kinds of performance problems that are found in spans, with the names under which they are stored. */
export const problemKinds = ['n_plus_one_queries', 'slow_query', 'n_plus_one_requests'] as const

export type ProblemKind = (typeof problemKinds)[number]

/** Thresholds above which spans are a problem. Set per project: a worker may be slow. */
export interface ProblemThresholds {
  nPlusOneQueries: { isOn: boolean; count: number; totalMs: number }
  slowQueries: { isOn: boolean; durationMs: number }
  nPlusOneRequests: { isOn: boolean; count: number; totalMs: number }
}

/** The spans of a performance problem. */
export interface PerformanceProblem {
  kind: ProblemKind
  /** The description of the spans with placeholders for values: equal in all traces, and not truncated. */
  text: string
  /** The query before the repeated ones, with placeholders: the repeated ones are one for each row. */
  source?: string
  /** In the order of their starts. */
  spans: readonly [Span, ...Span[]]
  /** Total microseconds. */
  totalUs: number
}

/** Requests that a loop starts concurrently begin within this time of one another, as in Sentry. */
const concurrentMs = 15

/** The other inputs of `findPerformanceProblems`. */
export interface ProblemContext {
  maxCount: number
  scrubSql: ScrubSql
}

/**
 * Finds problems in one segment; one of each text, and `maxCount` at most. Spans of a trace that arrive in
 * other segments are not seen. Without candidates it reads only the op and duration of each span. Pauses
 * between spans.
 */
export function* findPerformanceProblems(
  segment: TraceSegment,
  thresholds: ProblemThresholds,
  { maxCount, scrubSql }: ProblemContext,
): Generator<undefined, PerformanceProblem[]> {
  const { nPlusOneQueries, slowQueries, nPlusOneRequests } = thresholds
  const queries = nPlusOneQueries.isOn || slowQueries.isOn ? segment.spans.filter(isQuery) : []
  const requests = nPlusOneRequests.isOn && isOfBrowser(segment) ? segment.spans.filter(isRequest) : []
  const found = new Map<string, PerformanceProblem>()
  const add = (problem: PerformanceProblem): void => {
    const key = `${problem.kind}\0${problem.source ?? ''}\0${problem.text}`
    const known = found.get(key)
    if (known === undefined ? found.size < maxCount : known.spans.length < problem.spans.length)
      found.set(key, problem)
  }
  if (nPlusOneQueries.isOn && queries.length > nPlusOneQueries.count)
    yield* addRepeatedQueries(queries, { segment, scrubSql, ...nPlusOneQueries }, add)
  if (slowQueries.isOn) yield* addSlowQueries(queries, { scrubSql, ...slowQueries }, add)
  if (nPlusOneRequests.isOn && requests.length >= nPlusOneRequests.count)
    addRepeatedRequests(requests, nPlusOneRequests, add)
  return [...found.values()]
}

type Add = (problem: PerformanceProblem) => void

function isQuery({ op, isSegment }: Span): boolean {
  return !isSegment && (op === 'db' || op.startsWith('db.')) && op !== 'db.redis'
}

function isRequest({ op }: Span): boolean {
  return op === 'http.client'
}

/** A server may send many requests concurrently on purpose; in a page each one waits for a connection. */
function isOfBrowser({ spans: [root], platform }: TraceSegment): boolean {
  return root.isSegment ? /^(?:pageload|navigation|ui)(?:\.|$)/.test(root.op) : platform === 'javascript'
}

/**
 * Finds consecutive reads with the same text and parent, after another query. Other spans may lie in between:
 * the work for each row, connections of a driver, transactions.
 */
function* addRepeatedQueries(
  queries: readonly Span[],
  { segment, scrubSql, count, totalMs }: RepeatThresholds & { segment: TraceSegment; scrubSql: ScrubSql },
  add: Add,
): Generator<undefined> {
  const statements: { span: Span; text: string }[] = []
  for (const [at, span] of queries.entries()) {
    if (at % spansPerStep === spansPerStep - 1) yield undefined
    const text = repeatableText(span, scrubSql)
    if (text !== undefined) statements.push({ span, text })
  }
  const parentOf = findSharedParents(statements, segment)
  for (const [, children] of Map.groupBy(statements, ({ span }) => parentOf(span))) {
    if (children.length <= count) continue
    let source: string | undefined
    let run: { text: string; spans: Span[] } | undefined
    const finish = (): void => {
      if (run === undefined || source === undefined || run.spans.length < count || !isSqlRead(run.text))
        return
      addProblem({ kind: 'n_plus_one_queries', text: run.text, source }, run.spans, { totalMs, add })
    }
    for (const { span, text } of children.toSorted(
      (one, other) => one.span.startedAt - other.span.startedAt,
    )) {
      if (run?.text === text) run.spans.push(span)
      else {
        finish()
        source = run?.text
        run = { text, spans: [span] }
      }
    }
    finish()
  }
}

/** Spans that an object-relational mapper reports around each query. */
const wrapperDepth = 3

/** The common parent of queries: skips spans around a single query, which mappers report for each call. */
function findSharedParents(
  statements: readonly { span: Span }[],
  { spans }: TraceSegment,
): (span: Span) => string | undefined {
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  const counts = new Map<string, number>()
  const ancestorsOf = ({ parentSpanId }: Span): Span[] => {
    const ancestors: Span[] = []
    let parent = byId.get(parentSpanId ?? '')
    while (parent !== undefined && !parent.isSegment && ancestors.length < wrapperDepth) {
      ancestors.push(parent)
      parent = byId.get(parent.parentSpanId ?? '')
    }
    return ancestors
  }
  for (const { span } of statements)
    for (const { spanId } of ancestorsOf(span)) counts.set(spanId, (counts.get(spanId) ?? 0) + 1)
  return (span) => {
    let { parentSpanId } = span
    for (const ancestor of ancestorsOf(span)) {
      if ((counts.get(ancestor.spanId) ?? 0) > 1) break
      parentSpanId = ancestor.parentSpanId
    }
    return parentSpanId
  }
}

interface RepeatThresholds {
  count: number
  totalMs: number
}

/** Finds slow statements. Leaves out spans that wait for a connection, or begin or end a transaction. */
function* addSlowQueries(
  queries: readonly Span[],
  { scrubSql, durationMs }: { scrubSql: ScrubSql; durationMs: number },
  add: Add,
): Generator<undefined> {
  const slow = queries.filter(({ durationUs }) => durationUs >= durationMs * 1000)
  const byText = new Map<string, Span[]>()
  for (const [at, span] of byStart(slow).entries()) {
    if (at % spansPerStep === spansPerStep - 1) yield undefined
    const text = queryText(span, scrubSql)
    const same = byText.get(text)
    if (same !== undefined) same.push(span)
    else if (isSqlStatement(text)) byText.set(text, [span])
  }
  for (const [text, spans] of byText) addProblem({ kind: 'slow_query', text }, spans, { totalMs: 0, add })
}

/** Finds requests that differ only in values of their URL and were started together. */
function addRepeatedRequests(
  requests: readonly Span[],
  { count, totalMs }: RepeatThresholds,
  add: Add,
): void {
  const targets = requests.flatMap((span) => {
    const target = findTarget(span)
    return target === undefined ? [] : [{ span, ...target }]
  })
  for (const [text, repeated] of Map.groupBy(targets, (target) => target.text)) {
    if (repeated.length < count) continue
    const ordered = repeated.toSorted((one, other) => one.span.startedAt - other.span.startedAt)
    let run: typeof ordered = []
    const finish = (): void => {
      if (run.length < count || new Set(run.map(({ url }) => url)).size === 1) return
      const spans = run.map(({ span }) => span)
      addProblem({ kind: 'n_plus_one_requests', text }, spans, { totalMs, add })
    }
    for (const target of ordered) {
      const before = run.at(-1)
      if (before !== undefined && target.span.startedAt - before.span.startedAt > concurrentMs) {
        finish()
        run = []
      }
      run.push(target)
    }
    finish()
  }
}

/** Static files, and files that frameworks load automatically: a page needs many of them. */
const staticPath =
  /\.(?:js|mjs|css|json|map|svg|png|jpe?g|gif|webp|avif|ico|woff2?|ttf|mp[34]|wasm)$|\/_next\/|\/graphql\b|\/__/i

/** A GET of a URL with values in its path or query. Undefined for others. */
function findTarget(span: Span): { text: string; url: string } | undefined {
  const sent = String(findAttribute(span, 'url.full') ?? span.description ?? span.name)
  const { method, host, path } = splitUrl(sent)
  const verb = findAttribute(span, 'http.request.method') ?? findAttribute(span, 'http.method') ?? method
  if (String(verb).toUpperCase() !== 'GET' || staticPath.test(path)) return undefined
  const query = findQuery(span, sent)
  const masked = parametrizePath(path)
  if (masked === path && query === '') return undefined
  const names = query.split('&', 50).map((pair) => pair.split('=', 1)[0] ?? '')
  const text = `GET ${host}${masked}${query === '' ? '' : `?${names.toSorted().join('&')}`}`
  return { text, url: `${path}?${query}` }
}

function findQuery(span: Span, sent: string): string {
  const [, own = ''] = sent.split('#', 1)[0]?.split('?', 2) ?? []
  const attribute = findAttribute(span, 'url.query') ?? findAttribute(span, 'http.query')
  return own !== '' || typeof attribute !== 'string' ? own : attribute.replace(/^\?/, '')
}

function addProblem(
  problem: Pick<PerformanceProblem, 'kind' | 'text' | 'source'>,
  [first, ...others]: readonly Span[],
  { totalMs, add }: { totalMs: number; add: Add },
): void {
  if (first === undefined) return
  const totalUs = others.reduce((sum, { durationUs }) => sum + durationUs, first.durationUs)
  if (totalUs >= totalMs * 1000) add({ ...problem, spans: [first, ...others], totalUs })
}

function byStart(spans: readonly Span[]): Span[] {
  return spans.toSorted((one, other) => one.startedAt - other.startedAt)
}
