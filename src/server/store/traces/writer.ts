import { limits } from '#server/limits.ts'
import { toIdBytes } from '#server/store/binary-id.ts'
import type { OutcomeCount, TraceRecord } from '#server/store/ingest/records.ts'
import { sortedEntries } from '#server/store/sorted-entries.ts'
import { compressBody } from './segment-body.ts'
import type { TraceStatements } from './statements.ts'

/** The dependencies of `writeTraces`. */
export interface TraceContext {
  statements: TraceStatements
  nextBlockId: () => number
}

/**
 * Stores the segments of a batch, inside its transaction, and returns their outcomes. A segment that was sent
 * twice is stored twice: an index of span ids would cost every segment more than the rare copy does, and the
 * reader drops it.
 */
export function writeTraces(context: TraceContext, traces: readonly TraceRecord[]): OutcomeCount[] {
  // In the order of projects, because other transactions write their totals, too.
  for (const [projectId, ofProject] of sortedEntries(Map.groupBy(traces, (trace) => trace.projectId))) {
    let storedBytes = 0
    for (const trace of ofProject) storedBytes += insertSegment(context, trace)
    context.statements.addToTraceTotal.run(projectId, ofProject.length, storedBytes)
  }
  const counted = traces.filter(({ quantity }) => quantity > 0)
  return counted.map(({ projectId, category, quantity, receivedAt }) => ({
    projectId,
    category,
    outcome: 'accepted',
    reason: '',
    quantity,
    at: receivedAt,
  }))
}

/** Returns the stored bytes. */
function insertSegment({ statements, nextBlockId }: TraceContext, trace: TraceRecord): number {
  const data = compressBody(trace.payload)
  statements.insertTraceSegment.run(
    trace.projectId,
    nextBlockId(),
    toIdBytes(trace.traceId),
    Buffer.from(trace.spanId, 'hex'),
    trace.isRoot ? 1 : 0,
    trace.startedAt,
    trace.durationUs,
    trace.spanCount,
    trace.op,
    trace.name,
    trace.isError ? 1 : 0,
    trace.environment,
    trace.release ?? null,
    trace.receivedAt,
    data,
    trace.eventId === undefined ? null : toIdBytes(trace.eventId),
  )
  return data.byteLength + limits.traceRowBytes
}
