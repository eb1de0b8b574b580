/**
 * What people have set up: organizations, projects with their keys and settings, accounts and what belongs to
 * them. These tables are small and change when a person changes something, and no installation can go on
 * without them. Referenced tables come before those that refer to them.
 *
 * `columns` where not all of them are wanted: the others count what arrives.
 */
export const keptTables: readonly { name: string; columns?: readonly string[] }[] = [
  { name: 'organizations' },
  { name: 'projects' },
  { name: 'project_keys' },
  { name: 'settings' },
  { name: 'users' },
  { name: 'credentials' },
  { name: 'two_factors' },
  { name: 'memberships' },
  { name: 'project_members' },
  { name: 'account_links' },
  {
    name: 'api_tokens',
    columns: ['token_hash', 'user_id', 'name', 'scopes', 'ending', 'created_at'],
  },
  { name: 'saved_searches' },
  { name: 'default_searches' },
  {
    name: 'upstreams',
    columns: [
      'project_id',
      'id',
      'dsn',
      'organization',
      'region',
      'connect',
      'kinds',
      'source',
      'is_paused',
      'is_retired',
      'created_at',
    ],
  },
]

/** Keys of `settings` that processes write for themselves, or that mean nothing without the events. */
export const fleetingSettings: readonly string[] = [
  'event_moves',
  'last_backup',
  'probed_at',
  'retention_clock',
  'setup_token_hash',
]
