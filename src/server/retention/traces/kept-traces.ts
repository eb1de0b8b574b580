import { fromIdBytes, toIdBytes } from '#server/store/binary-id.ts'
import type { Store } from '#server/store/store.ts'

/** Trace ids per statement, whose text does not depend on their number. */
const idsPerStatement = 50

/** Finds traces with errors, and marks traces to keep. */
export interface TraceKeeper {
  /** The traces with an error event in one of the projects. */
  findErrorTraces: (traceIds: Iterable<string>, projectIds: readonly number[]) => Set<string>
  /** Marks traces as kept for a reason. */
  keep: (traceIds: Iterable<string>, projectIds: readonly number[]) => void
}

/** Prepares the statements. */
export function createTraceKeeper({ connection }: Pick<Store, 'connection'>): TraceKeeper {
  const parameters = Array.from({ length: idsPerStatement }, () => '?').join(', ')
  const findErrors = connection.prepare(
    `SELECT DISTINCT trace_id FROM events WHERE project_id = ? AND trace_id IN (${parameters})`,
  )
  const keepTraces = connection.prepare(
    `UPDATE trace_segments SET worth = 2 WHERE project_id = ? AND trace_id IN (${parameters}) AND worth <> 2`,
  )
  return {
    findErrorTraces(traceIds, projectIds) {
      const found = new Set<string>()
      for (const ids of chunksOf(traceIds)) {
        for (const projectId of projectIds) {
          for (const row of findErrors.all(projectId, ...ids)) {
            const traceId = row['trace_id']
            if (traceId instanceof Uint8Array) found.add(fromIdBytes(traceId))
          }
        }
      }
      return found
    },
    keep(traceIds, projectIds) {
      for (const ids of chunksOf(traceIds))
        for (const projectId of projectIds) keepTraces.run(projectId, ...ids)
    },
  }
}

/** Ids as bytes, in groups of the size of a statement's list: the last one is repeated. */
function chunksOf(traceIds: Iterable<string>): Uint8Array[][] {
  const distinct = [...new Set(traceIds)]
  const chunks: Uint8Array[][] = []
  for (let at = 0; at < distinct.length; at += idsPerStatement) {
    const ids = distinct.slice(at, at + idsPerStatement)
    const last = ids.at(-1) ?? ''
    chunks.push(Array.from({ length: idsPerStatement }, (_, index) => toIdBytes(ids[index] ?? last)))
  }
  return chunks
}
