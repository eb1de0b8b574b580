import { reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import { limits } from '#server/limits.ts'
import type { Services } from '#server/services.ts'
import { listTraceSegments } from '#server/store/traces/traces.ts'
import { formatTraceRows } from '#traces/trace-row-text.ts'
import { collapseRows, listVisible, rowsWithoutScrolling } from '#traces/trace-rows.ts'
import { toTraceTree } from '#traces/trace-tree.ts'
import { listTraceErrors } from './trace-errors.ts'
import type { SpanView, TraceView, Waterfall } from './views.ts'
import { collectSpans, toNotes, toWaterfall } from './waterfall.ts'

const traceIdPattern = /^[0-9a-f]{32}$/
const spanIdPattern = /^[0-9a-f]{16}$/

type ReadServices = Pick<Services, 'store' | 'clock'>

/** Identifies a trace, and how many of its rows to return. */
export interface TraceReference {
  traceId: string
  /** True for all rows, and not only those of the first screen. */
  isWhole: boolean
}

/**
 * A trace in all projects that the viewer has access to. Undefined if the id is invalid; without rows if
 * nothing of the trace is stored. Two rounds of statements.
 */
export async function findTraceView(
  { store, clock }: ReadServices,
  viewer: Viewer,
  { traceId: sentId, isWhole }: TraceReference,
): Promise<TraceView | undefined> {
  const traceId = sentId.toLowerCase()
  if (!traceIdPattern.test(traceId)) return undefined
  const projectIds = reachableProjects(viewer)
  const [found, { problemCount: _problemCount, ...listed }] = await Promise.all([
    listTraceSegments(store.db, { traceId, projectIds }),
    listTraceErrors(store, { traceId, projectIds }),
  ])
  const { spans, services } = collectSpans(found.segments)
  const tree = toTraceTree(spans)
  const waterfall = toWaterfall(tree, services, listed.errors)
  return {
    now: clock(),
    traceId,
    spanCount: tree.nodes.length,
    hasMoreSpans: !found.isWhole,
    ...listed,
    notes: toNotes(tree, found),
    ...waterfall,
    ...toSentRows(waterfall, isWhole),
  }
}

/** The rows of the first screen, as many as a tall scrolling list shows. */
function toSentRows(
  { rows, durationUs }: Waterfall,
  isWhole: boolean,
): Pick<TraceView, 'rows' | 'rowCount' | 'visibleCount' | 'allRows'> {
  collapseRows(rows, durationUs)
  const visible = listVisible(rows, ({ isCollapsed }) => isCollapsed === true)
  const counts = { rowCount: rows.length, visibleCount: visible.length }
  if (isWhole) return { ...counts, rows: [], allRows: formatTraceRows(rows) }
  const isScrolled = visible.length > rowsWithoutScrolling
  return { ...counts, rows: isScrolled ? visible.slice(0, limits.traceRowsInPage) : visible }
}

/** Identifies a span. */
export interface SpanQuery {
  traceId: string
  spanId: string
}

/** A span of a trace with all its data; undefined if it is not stored. One statement. */
export async function findSpanView(
  { store }: Pick<Services, 'store'>,
  viewer: Viewer,
  { traceId, spanId }: SpanQuery,
): Promise<SpanView | undefined> {
  if (!traceIdPattern.test(traceId) || !spanIdPattern.test(spanId)) return undefined
  const { segments } = await listTraceSegments(store.db, { traceId, projectIds: reachableProjects(viewer) })
  const { spans, services } = collectSpans(segments)
  const span = spans.find((each) => each.spanId === spanId)
  const service = span && services[span.serviceAt]
  if (span === undefined || service === undefined) return undefined
  const { op, name, description, statusText, startedAt, durationUs, attributes } = span
  return {
    spanId,
    eventId: span.isSegment ? span.transactionEventId : undefined,
    op,
    name,
    description,
    statusText,
    startedAt,
    durationUs,
    service,
    attributes: Object.entries(attributes)
      .map(([key, value]) => ({ name: key, value }))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1)),
  }
}
