import type { Generated } from 'kysely'

/** Projects with their keys, and the settings of the installation. */
export interface ProjectTables {
  organizations: {
    id: Generated<number>
    slug: string
    name: string
    created_at: number
    has_status_page: Generated<number>
  }
  projects: ProjectsTable
  project_keys: ProjectKeysTable
  settings: { key: string; value: string }
  leases: { name: string; holder: string; expires_at: number }
  processes: ProcessesTable
}

interface ProcessesTable {
  id: string
  host: string
  pid: number
  version: string
  origin: string
  started_at: number
  seen_at: number
  items_per_minute: number
  cpu_permille: number
  memory_bytes: number
}

interface ProjectsTable {
  id: number
  organization_id: number
  slug: string
  name: string
  platform: string | null
  is_built_in: number
  last_issue_number: number
  reopened_count: Generated<number>
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
