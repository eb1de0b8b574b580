import type { Generated } from 'kysely'

/** Releases, environments and sessions. */
export interface ReleaseTables {
  releases: ReleasesTable
  release_environments: { project_id: number; version: string; environment: string; first_seen_at: number }
  deploys: DeploysTable
  release_commits: ReleaseCommitsTable
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
  is_archived: Generated<number>
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
  files: string | null
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
