/** Events with their attached data, and the outcomes of received items. */
export interface EventTables {
  events: EventsTable
  body_blocks: BodyBlocksTable
  event_digests: { project_id: number; digest: string; event_id: Uint8Array }
  event_feedback: EventFeedbackTable
  expired_digests: ExpiredDigestsTable
  attachments: AttachmentsTable
  attachment_totals: { project_id: number; stored_bytes: number }
  project_bytes: { project_id: number; event_count: number; event_bytes: number; outbox_bytes: number }
  outcome_hours: OutcomeHoursTable
  dead_letters: DeadLettersTable
  filter_samples: FilterSamplesTable
}

interface EventsTable {
  project_id: number
  event_id: Uint8Array
  issue_id: number
  block_id: number
  block_offset: number
  block_length: number
  occurred_at: number
  received_at: number
  level: string
  environment: string
  release: string | null
  user_hash: number | null
  trace_id: Uint8Array | null
  client_address: string | null
  tag_hashes: Uint8Array | null
  part_id: number | null
  is_trace_sampled: number | null
}

interface BodyBlocksTable {
  project_id: number
  id: number
  event_count: number
  raw_bytes: number
  created_at: number
  data: Uint8Array
}

interface OutcomeHoursTable {
  project_id: number
  hour: number
  category: string
  outcome: string
  reason: string
  quantity: number
}

interface DeadLettersTable {
  project_id: number
  id: string
  item_type: string
  category: string | null
  reason: string
  received_at: number
  origin: string | null
  payload: Uint8Array
}

interface FilterSamplesTable {
  project_id: number
  reason: string
  day: number
  received_at: number
  id: string
  category: string
  title: string
  environment: string
  release: string | null
  payload_bytes: number
  payload: Uint8Array | null
  event_id: Uint8Array | null
  trace_id: Uint8Array | null
}

interface AttachmentsTable {
  project_id: number
  event_id: Uint8Array
  number: number
  name: string
  content_type: string
  kind: string
  received_at: number
  byte_count: number
  stored_bytes: number
  content_hash: Uint8Array
  data: Uint8Array
}

interface EventFeedbackTable {
  project_id: number
  event_id: Uint8Array
  feedback_id: Uint8Array
  received_at: number
  name: string
  email: string
  message: string
}

interface ExpiredDigestsTable {
  project_id: number
  id: number
  expired_at: number
  reason: string
  event_count: number
  digests: Uint8Array
}
