import { limits } from '#server/limits.ts'
import type { CommitEntry, TraceRecord } from '#server/store/ingest/records.ts'

/**
 * The work of a request as entries that are committed one after another: usually one. An OTLP request has
 * the segments of up to 20,000 traces, or a few of 1.5 MB each, and one transaction for all of them would
 * delay every other commit for seconds. The last entry has everything else, so that a request that fails
 * before and is repeated is counted once in the figures; readers drop the segments that it stores twice.
 */
export function toCommitParts(work: CommitEntry): CommitEntry[] {
  const parts = partTraces(work.traces ?? [])
  if (parts.length <= 1) return [work]
  return [
    ...parts.map((traces) => ({ events: [], outcomes: [], deadLetters: [], traces })),
    { ...work, traces: [] },
  ]
}

function partTraces(traces: readonly TraceRecord[]): TraceRecord[][] {
  const parts: TraceRecord[][] = []
  let part: TraceRecord[] = []
  let bytes = 0
  for (const trace of traces) {
    bytes += trace.payload.byteLength
    if (part.length === 0 || part.length === limits.eventsPerCommit || bytes > limits.commitPartBytes) {
      part = []
      parts.push(part)
      bytes = trace.payload.byteLength
    }
    part.push(trace)
  }
  return parts
}
