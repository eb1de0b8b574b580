import type { Generated } from 'kysely'

/** Issues with their counters, states and parts. */
export interface IssueTables {
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
  imported_issues: {
    project_id: number
    source_id: string
    hash: Uint8Array
    short_id: string
    title: string
    url: string
    source_count: number
    own_count: number
    compared_at: number
  }
  import_jobs: { id: string; document: string; updated_at: number }
  issue_links: {
    project_id: number
    issue_id: number
    url: string
    name: string
    is_closed: number
    created_at: number
    reported_at: Generated<number | null>
  }
  issue_hours: {
    project_id: number
    issue_id: number
    hour: number
    environment: string
    event_count: number
  }
  issue_environments: { project_id: number; issue_id: number; environment: string }
  issue_tags: IssueTagsTable
  issue_traits: { project_id: number; issue_id: number; key: string; value: string }
  issue_users: { project_id: number; issue_id: number; user_hash: number }
  project_users: { project_id: number; user_hash: number }
  project_user_counts: { project_id: number; user_count: number }
  issue_activity: IssueActivityTable
  counter_deltas: { project_id: number; id: number; event_count: number; data: string }
  expired_issues: { project_id: number; issue_id: number; expired_at: number; has_events: Generated<number> }
  saved_searches: {
    id: string
    user_id: string
    organization_id: number | null
    name: string
    search: string
    created_at: number
  }
  default_searches: { user_id: string; search_id: string }
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
  reopen_condition: string | null
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

interface IssueTagsTable {
  project_id: number
  issue_id: number
  key: string
  value: string
  event_count: number
  last_seen_at: number
}
