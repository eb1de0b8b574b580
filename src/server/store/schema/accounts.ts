import type { Generated } from 'kysely'

/**
 * The tables of accounts. Of better-auth's own tables only the columns that Culvert reads; their instants are
 * ISO 8601.
 */
export interface AccountTables {
  users: UsersTable
  sessions: SessionsTable
  credentials: CredentialsTable
  memberships: MembershipsTable
  project_members: { project_id: number; user_id: string }
  account_links: AccountLinksTable
  api_tokens: ApiTokensTable
  sign_in_failures: SignInFailuresTable
  two_factors: { user_id: string; last_used_step: number | null }
}

interface SessionsTable {
  id: string
  token: string
  user_id: string
  expires_at: string
  created_at: string
  updated_at: string
}

interface UsersTable {
  id: string
  name: string
  email: string
  email_verified: number
  two_factor_enabled: number
  shortcuts_off: Generated<number>
  time_zone: string | null
  created_at: string
  updated_at: string
}

interface CredentialsTable {
  id: string
  user_id: string
  provider_id: string
  account_id: string
  password: string | null
  created_at: string
  updated_at: string
}

interface MembershipsTable {
  organization_id: number
  user_id: string
  role: string
  has_all_projects: number
  created_at: number
}

interface AccountLinksTable {
  token_hash: string
  purpose: string
  organization_id: number | null
  role: string | null
  project_ids: string | null
  user_id: string | null
  note: string
  created_by: string | null
  created_at: number
  expires_at: number
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

interface SignInFailuresTable {
  name_hash: string
  failure_count: number
  last_at: number
  forget_at: number
}
