import type { Generated } from 'kysely'

/** Upstreams and the envelopes queued for them. */
export interface UpstreamTables {
  upstreams: UpstreamsTable
  outbox: OutboxTable
  outbox_blocks: OutboxBlocksTable
}

/** A row of `upstreams`. */
export interface UpstreamsTable {
  project_id: number
  id: string
  dsn: string
  organization: string | null
  region: string | null
  connect: string | null
  kinds: string
  source: string
  is_paused: Generated<number>
  is_retired: Generated<number>
  created_at: number
  last_number: Generated<number>
  waiting_count: Generated<number>
  waiting_bytes: Generated<number>
  failed_count: Generated<number>
  failed_bytes: Generated<number>
  delivered_count: Generated<number>
  dropped_count: Generated<number>
  state: Generated<string>
  tries_asked: Generated<number>
}

interface OutboxTable {
  project_id: number
  upstream_id: string
  number: number
  category: string
  received_at: number
  client_address: string | null
  user_agent: string | null
  byte_count: number
  failed_at: number | null
  problem: string | null
  body: Uint8Array
  block_number: number | null
  block_offset: number | null
}

interface OutboxBlocksTable {
  project_id: number
  upstream_id: string
  number: number
  last_number: number
  raw_bytes: number
  data: Uint8Array
}
