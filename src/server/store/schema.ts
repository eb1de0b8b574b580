import type { Generated, Transaction } from 'kysely'
import type { AccountTables } from './account-schema.ts'

/**
 * The tables as Kysely sees them; the columns' meaning stands in `migrations/`.
 *
 * Booleans are 0 or 1, instants and hours are Unix milliseconds, ids of events and traces and group hashes are 16
 * bytes. `project_id` leads every primary key.
 */
export interface Database extends AccountTables {
  organizations: { id: number; slug: string; name: string; created_at: number }
  projects: ProjectsTable
  project_keys: ProjectKeysTable
  issues: IssuesTable
  issue_hashes: {
    project_id: number
    hash: Uint8Array
    mechanism: string
    issue_id: number
    part_id: number | null
  }
  issue_parts: IssuesTable & { issue_id: number; merged_at: number }
  discarded_hashes: DiscardedHashesTable
  events: EventsTable
  body_blocks: BodyBlocksTable
  event_digests: { project_id: number; digest: string; event_id: Uint8Array }
  issue_hours: {
    project_id: number
    issue_id: number
    hour: number
    environment: string
    event_count: number
  }
  issue_environments: { project_id: number; issue_id: number; environment: string }
  issue_tags: IssueTagsTable
  issue_users: { project_id: number; issue_id: number; user_hash: number }
  issue_activity: IssueActivityTable
  releases: ReleasesTable
  release_environments: { project_id: number; version: string; environment: string; first_seen_at: number }
  deploys: DeploysTable
  release_commits: ReleaseCommitsTable
  api_tokens: ApiTokensTable
  environments: SeenTable & { name: string }
  session_series: SessionSeriesTable
  session_hours: SessionCountsTable & { series_id: number; hour: number }
  session_days: {
    project_id: number
    series_id: number
    day: number
    user_count: number
    crashed_user_count: number
  }
  outcome_hours: OutcomeHoursTable
  dead_letters: DeadLettersTable
  filter_samples: FilterSamplesTable
  attachments: AttachmentsTable
  artifact_chunks: ArtifactChunksTable
  artifact_bundles: ArtifactBundlesTable
  artifact_files: ArtifactFilesTable
  attachment_totals: { project_id: number; stored_bytes: number }
  event_feedback: EventFeedbackTable
  settings: { key: string; value: string }
  counter_deltas: { project_id: number; id: number; event_count: number; data: string }
  expired_issues: { project_id: number; issue_id: number; expired_at: number; has_events: Generated<number> }
  expired_digests: ExpiredDigestsTable
  upstreams: UpstreamsTable
  outbox: OutboxTable
  saved_searches: {
    id: string
    user_id: string
    organization_id: number | null
    name: string
    search: string
    created_at: number
  }
  default_searches: { user_id: string; search_id: string }
  leases: { name: string; holder: string; expires_at: number }
}

/** A transaction of `store.writer`. */
export type WriterTransaction = Transaction<Database>

interface ProjectsTable {
  id: number
  organization_id: number
  slug: string
  name: string
  platform: string | null
  is_built_in: number
  last_issue_number: number
  created_at: number
  settings: Generated<string>
}

interface ProjectKeysTable {
  project_id: number
  public_key: string
  label: string
  is_active: number
  created_at: number
  settings: Generated<string>
}

interface IssuesTable {
  project_id: number
  id: number
  number: number
  type: string
  title: string
  subtitle: string
  culprit: string
  level: string
  platform: string
  logger: string | null
  status: string
  status_changed_at: number | null
  is_regressed: number
  mechanism: string
  first_seen_at: number
  last_seen_at: number
  event_count: number
  user_count: number
  first_release: string | null
  last_release: string | null
  first_event_id: Uint8Array
  latest_event_id: Uint8Array
  expired_event_count: number
  message: string | null
  text_hash: number | null
  trend_fast: Generated<number>
  trend_slow: Generated<number>
  trend: Generated<number>
  regressed_release: string | null
  assignee_id: string | null
  terms: string | null
  archived_until_at: number | null
}

interface DiscardedHashesTable {
  project_id: number
  hash: Uint8Array
  title: string
  subtitle: string
  discarded_at: number
  user_id: string
}

interface IssueActivityTable {
  project_id: number
  issue_id: number
  id: string
  action_id: string
  at: number
  user_id: string | null
  kind: string
  detail: string
  edited_at: number | null
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
}

interface BodyBlocksTable {
  project_id: number
  id: number
  event_count: number
  raw_bytes: number
  created_at: number
  data: Uint8Array
}

interface IssueTagsTable {
  project_id: number
  issue_id: number
  key: string
  value: string
  event_count: number
  last_seen_at: number
}

interface SeenTable {
  project_id: number
  first_seen_at: number
  last_seen_at: number
  event_count: number
}

interface ReleasesTable extends SeenTable {
  version: string
  package: string
  version_order: string
  created_at: number
  released_at: number | null
  url: string | null
  ref: string | null
}

interface DeploysTable {
  project_id: number
  version: string
  id: number
  environment: string
  name: string | null
  url: string | null
  started_at: number | null
  finished_at: number
}

interface ReleaseCommitsTable {
  project_id: number
  version: string
  number: number
  id: string
  repository: string | null
  message: string | null
  author_name: string | null
  author_email: string | null
  committed_at: number | null
}

interface ApiTokensTable {
  token_hash: string
  user_id: string
  name: string
  scopes: string
  ending: string
  created_at: number
  last_used_at: number | null
}

interface SessionCountsTable {
  project_id: number
  session_count: number
  errored_count: number
  unhandled_count: number
  abnormal_count: number
  crashed_count: number
}

interface SessionSeriesTable extends SessionCountsTable {
  version: string
  environment: string
  id: number
  first_session_at: number
  last_session_at: number
  user_count: number
  crashed_user_count: number
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

interface ArtifactChunksTable {
  organization_id: number
  checksum: Uint8Array
  received_at: number
  byte_count: number
  data: Uint8Array
}

interface ArtifactBundlesTable {
  project_id: number
  id: number
  checksum: Uint8Array
  release: string
  dist: string
  uploaded_at: number
  used_at: number
  is_complete: number
  file_count: number
  stored_bytes: number
}

interface ArtifactFilesTable {
  project_id: number
  bundle_id: number
  number: number
  kind: string
  url: string
  debug_id: Uint8Array | null
  source_map_url: string | null
  byte_count: number
  stored_bytes: number
  data: Uint8Array | null
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
}

interface OutboxTable {
  project_id: number
  upstream_id: string
  number: number
  lane: string
  received_at: number
  client_address: string | null
  user_agent: string | null
  byte_count: number
  failed_at: number | null
  problem: string | null
  body: Uint8Array
}
