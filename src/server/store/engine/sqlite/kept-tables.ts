/**
 * Tables with configuration: organizations, projects with their keys and settings, accounts and related rows.
 * They are small, change only when a user changes something, and no installation works without them.
 * Referenced tables precede the tables that refer to them.
 *
 * `columns` lists the columns to keep if not all are kept: the others are counters.
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
  { name: 'alert_rules' },
  {
    name: 'alert_destinations',
    columns: [
      'id',
      'organization_id',
      'name',
      'channel',
      'settings',
      'secrets',
      'created_at',
      'disabled_at',
      'disabled_reason',
    ],
  },
  { name: 'alert_mutes' },
  {
    name: 'monitors',
    columns: [
      'project_id',
      'id',
      'slug',
      'name',
      'kind',
      'settings',
      'is_paused',
      'is_muted',
      'badge_secret',
      'public_name',
      'created_at',
    ],
  },
  { name: 'push_subscriptions' },
  { name: 'notification_preferences' },
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

/** Keys of `settings` that processes write for themselves, or that have no meaning without the events. */
export const fleetingSettings: readonly string[] = [
  'event_moves',
  'last_backup',
  'probed_at',
  'retention_clock',
  'retention_ran_at',
  'setup_tokens',
]
