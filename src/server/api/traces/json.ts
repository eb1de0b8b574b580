import * as v from 'valibot'
import { anyText, count, instant, textOrNull } from '#server/api/answer-schema.ts'
import { issueTypeOf } from '#server/api/issues/json.ts'
import type { TraceErrors } from '#server/console/traces/trace-errors.ts'
import type { TraceError } from '#server/console/traces/views.ts'
import { toWaterfall, type ServiceSpan, type SpansOfTrace } from '#server/console/traces/waterfall.ts'
import { limits } from '#server/limits.ts'
import { findAttribute } from '#traces/span.ts'
import { toTraceTree, type TraceTree } from '#traces/trace-tree.ts'

const errorAnswer = v.strictObject({
  event_id: anyText,
  issue_id: count,
  span: textOrNull,
  project_id: count,
  project_slug: anyText,
  title: anyText,
  level: anyText,
  timestamp: instant,
})

/** A performance problem at its first span. */
const occurrenceAnswer = v.strictObject({
  event_id: anyText,
  event_type: v.literal('occurrence'),
  issue_id: count,
  issue_type: anyText,
  project_id: count,
  project_slug: anyText,
  transaction: anyText,
  description: anyText,
  level: anyText,
  culprit: textOrNull,
  short_id: textOrNull,
  start_timestamp: v.number(),
})

/** The same in a tree of root spans. */
const performanceIssueAnswer = v.strictObject({
  event_id: anyText,
  issue_id: count,
  span: v.array(anyText),
  suspect_spans: v.array(anyText),
  project_id: count,
  project_slug: anyText,
  title: anyText,
  level: anyText,
  culprit: anyText,
})

/** A span; its children have the same format. */
export const spanAnswer = v.strictObject({
  children: v.array(v.unknown()),
  errors: v.array(errorAnswer),
  occurrences: v.array(occurrenceAnswer),
  event_id: anyText,
  span_id: anyText,
  transaction_id: anyText,
  parent_span_id: textOrNull,
  project_id: count,
  project_slug: anyText,
  event_type: v.literal('span'),
  is_transaction: v.boolean(),
  op: anyText,
  name: anyText,
  description: anyText,
  status: anyText,
  transaction: anyText,
  start_timestamp: v.number(),
  end_timestamp: v.number(),
  duration: v.number(),
  sdk_name: textOrNull,
})

/** Counts of a trace. */
export const traceMetaAnswer = v.strictObject({
  logs: count,
  errors: count,
  performance_issues: count,
  span_count: count,
  transaction_child_count_map: v.array(v.strictObject({ 'transaction.event_id': anyText, 'count()': count })),
  span_count_map: v.record(v.string(), count),
})

/** A root span with the root spans below it; its children have the same format. */
const transactionAnswer = v.strictObject({
  event_id: anyText,
  span_id: anyText,
  parent_event_id: textOrNull,
  parent_span_id: textOrNull,
  transaction: anyText,
  'transaction.op': anyText,
  'transaction.duration': count,
  'transaction.status': anyText,
  project_id: count,
  project_slug: anyText,
  timestamp: v.number(),
  start_timestamp: v.number(),
  generation: count,
  errors: v.array(errorAnswer),
  performance_issues: v.array(performanceIssueAnswer),
  children: v.array(v.unknown()),
})

/** The root spans of a trace. */
export const eventsTraceAnswer = v.strictObject({
  transactions: v.array(transactionAnswer),
  orphan_errors: v.array(errorAnswer),
})

type ErrorJson = v.InferOutput<typeof errorAnswer>
type OccurrenceJson = v.InferOutput<typeof occurrenceAnswer>
type PerformanceIssueJson = v.InferOutput<typeof performanceIssueAnswer>
type SpanJson = v.InferOutput<typeof spanAnswer>
type TransactionJson = v.InferOutput<typeof transactionAnswer>

/** A trace and its errors for the answers. */
export interface ShownTrace {
  tree: TraceTree<ServiceSpan>
  services: SpansOfTrace['services']
  counts: Pick<TraceErrors, 'errorCount' | 'problemCount'>
  /** The errors of each span, by its index in the tree. */
  errorsAt: TraceError[][]
  /** Errors without a span. */
  orphans: TraceError[]
}

/** Combines the spans of a trace and its errors. */
export function toShownTrace(
  { spans, services }: SpansOfTrace,
  { errors, errorCount, problemCount }: TraceErrors,
): ShownTrace {
  const tree = toTraceTree(spans)
  const { rows } = toWaterfall(tree, services, errors)
  const placed = new Set<TraceError>()
  const errorsAt = rows.map((row) =>
    (row.errorsAt ?? []).flatMap((at) => {
      const error = errors[at]
      if (error === undefined) return []
      placed.add(error)
      return Object.assign({}, error, { spanId: row.spanId })
    }),
  )
  const orphans = errors.filter((error) => !placed.has(error))
  return { tree, services, counts: { errorCount, problemCount }, errorsAt, orphans }
}

/** A performance problem is an issue, but not an error. */
const isProblem = ({ type }: TraceError) => type === 'performance'

function toErrors(errors: readonly TraceError[]): ErrorJson[] {
  return errors.filter((error) => !isProblem(error)).map(toErrorJson)
}

/** The spans as trees, at most `limits.traceSpansShown`. Below `limits.apiTraceDepth` they are siblings. */
export function toSpanTrees({ tree, services, errorsAt }: ShownTrace): SpanJson[] {
  const roots: SpanJson[] = []
  const path: SpanJson[] = []
  for (const [at, { span, depth }] of tree.nodes.slice(0, limits.traceSpansShown).entries()) {
    const project = services[span.serviceAt]?.project
    const sdk = findAttribute(span, 'sentry.sdk.name')
    const json: SpanJson = {
      children: [],
      errors: toErrors(errorsAt[at] ?? []),
      occurrences: (errorsAt[at] ?? []).filter(isProblem).map(toOccurrenceJson),
      event_id: span.spanId,
      span_id: span.spanId,
      transaction_id: transactionIdOf(span),
      parent_span_id: span.parentSpanId ?? null,
      project_id: project?.id ?? 0,
      project_slug: project?.slug ?? '',
      event_type: 'span',
      is_transaction: span.isSegment,
      op: span.op,
      name: span.name,
      description: span.description ?? span.name,
      status: span.statusText,
      transaction: span.isSegment ? span.name : '',
      start_timestamp: span.startedAt / 1000,
      end_timestamp: span.startedAt / 1000 + span.durationUs / 1_000_000,
      duration: span.durationUs / 1000,
      sdk_name: typeof sdk === 'string' ? sdk : null,
    }
    const level = Math.min(depth, limits.apiTraceDepth)
    path.length = level
    path.push(json)
    const siblings = path[level - 1]?.children ?? roots
    siblings.push(json)
  }
  return roots
}

/** Counts the spans of a trace. */
export function toTraceMeta({ tree, counts }: ShownTrace): v.InferOutput<typeof traceMetaAnswer> {
  const byOp = Map.groupBy(tree.nodes, ({ span }) => span.op)
  return {
    logs: 0,
    errors: counts.errorCount - counts.problemCount,
    performance_issues: counts.problemCount,
    span_count: tree.nodes.length,
    transaction_child_count_map: tree.nodes
      .filter(({ span }) => span.isSegment)
      .map(({ span, descendantCount }) => ({
        'transaction.event_id': transactionIdOf(span),
        'count()': descendantCount,
      })),
    span_count_map: Object.fromEntries([...byOp].map(([op, nodes]) => [op, nodes.length])),
  }
}

/** The root spans of services, each below the span that called it. Errors are attached to their root span. */
export function toTransactionTrees({ tree, services, errorsAt, orphans }: ShownTrace) {
  const transactions: TransactionJson[] = []
  const orphanErrors = toErrors(orphans)
  const path: { depth: number; json: TransactionJson }[] = []
  for (const [at, { span, depth }] of tree.nodes.slice(0, limits.traceSpansShown).entries()) {
    while ((path.at(-1)?.depth ?? -1) >= depth) path.pop()
    const above = path.at(-1)?.json
    const errors = toErrors(errorsAt[at] ?? [])
    const problems = (errorsAt[at] ?? []).filter(isProblem).map(toPerformanceIssueJson)
    if (!span.isSegment) {
      if (above === undefined) orphanErrors.push(...errors)
      else {
        above.errors.push(...errors)
        above.performance_issues.push(...problems)
      }
      continue
    }
    const project = services[span.serviceAt]?.project
    const json: TransactionJson = {
      event_id: transactionIdOf(span),
      span_id: span.spanId,
      parent_event_id: above?.event_id ?? null,
      parent_span_id: span.parentSpanId ?? null,
      transaction: span.name,
      'transaction.op': span.op,
      'transaction.duration': Math.round(span.durationUs / 1000),
      'transaction.status': span.statusText,
      project_id: project?.id ?? 0,
      project_slug: project?.slug ?? '',
      timestamp: span.startedAt / 1000 + span.durationUs / 1_000_000,
      start_timestamp: span.startedAt / 1000,
      generation: path.length,
      errors,
      performance_issues: problems,
      children: [],
    }
    const siblings = above?.children ?? transactions
    siblings.push(json)
    if (path.length < limits.apiTraceDepth) path.push({ depth, json })
  }
  return { transactions, orphan_errors: orphanErrors }
}

/** The event id of its transaction; of other spans the id of their root span. */
function transactionIdOf({ transactionEventId, isSegment, spanId, segmentId = '' }: ServiceSpan): string {
  return transactionEventId ?? (isSegment ? spanId : segmentId)
}

function titleOf({ title, subtitle }: TraceError): string {
  return subtitle === '' ? title : `${title}: ${subtitle}`
}

function toErrorJson(error: TraceError): ErrorJson {
  const { eventId, issueId, project, level, occurredAt, spanId } = error
  return {
    event_id: eventId,
    issue_id: Number(issueId),
    span: spanId ?? null,
    project_id: project.id,
    project_slug: project.slug,
    title: titleOf(error),
    level,
    timestamp: new Date(occurredAt).toISOString(),
  }
}

function toOccurrenceJson(problem: TraceError): OccurrenceJson {
  const { eventId, issueId, project, level, occurredAt } = problem
  return {
    event_id: eventId,
    event_type: 'occurrence',
    issue_id: Number(issueId),
    issue_type: issueTypeOf(problem),
    project_id: project.id,
    project_slug: project.slug,
    transaction: '',
    description: titleOf(problem),
    level,
    culprit: null,
    short_id: null,
    start_timestamp: occurredAt / 1000,
  }
}

function toPerformanceIssueJson(problem: TraceError): PerformanceIssueJson {
  const { eventId, issueId, project, level, spanId } = problem
  const spanIds = spanId === undefined ? [] : [spanId]
  return {
    event_id: eventId,
    issue_id: Number(issueId),
    span: spanIds,
    suspect_spans: spanIds,
    project_id: project.id,
    project_slug: project.slug,
    title: titleOf(problem),
    level,
    culprit: '',
  }
}
