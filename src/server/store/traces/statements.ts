import type { StatementSource } from '#server/store/engine/engine.ts'

/** The statements with which a batch stores traces. */
export type TraceStatements = ReturnType<typeof prepareTraceStatements>

/** Prepares the statements on the writer's connection. */
export function prepareTraceStatements({ engine }: StatementSource) {
  return {
    insertTraceSegment: engine.prepareWrite(
      `INSERT INTO trace_segments (project_id, id, trace_id, span_id, is_root, started_at, duration_us, span_count, op,
         name, is_error, environment, release, worth, received_at, data, event_id)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?)`,
    ),
    addToTraceTotal: engine.prepareWrite(
      `INSERT INTO trace_totals (project_id, segment_count, stored_bytes, chosen_id) VALUES (?, ?, ?, 0)
       ON CONFLICT (project_id) DO UPDATE SET
         segment_count = trace_totals.segment_count + excluded.segment_count,
         stored_bytes = trace_totals.stored_bytes + excluded.stored_bytes`,
    ),
  }
}
