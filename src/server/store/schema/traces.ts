/** Traces. */
export interface TraceTables {
  trace_segments: TraceSegmentsTable
  trace_totals: { project_id: number; segment_count: number; stored_bytes: number; chosen_id: number }
  trace_names: { project_id: number; name: string; first_seen_at: number }
}

interface TraceSegmentsTable {
  project_id: number
  id: number
  trace_id: Uint8Array
  span_id: Uint8Array
  is_root: number
  started_at: number
  duration_us: number
  span_count: number
  op: string
  name: string
  is_error: number
  environment: string
  release: string | null
  worth: number
  received_at: number
  data: Uint8Array
  event_id: Uint8Array | null
}
