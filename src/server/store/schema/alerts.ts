import type { Generated } from 'kysely'

/** Rules of alerts, their decisions, and their messages. */
export interface AlertTables {
  alert_rules: AlertRulesTable
  alert_transitions: AlertTransitionsTable
  alert_rule_sets: AlertRuleSetsTable
  alert_decisions: AlertDecisionsTable
  alert_destinations: AlertDestinationsTable
  alert_deliveries: AlertDeliveriesTable
  push_subscriptions: PushSubscriptionsTable
  alert_attempts: AlertAttemptsTable
  alert_threads: AlertThreadsTable
  inbox_items: InboxItemsTable
  notification_preferences: NotificationPreferencesTable
  alert_mutes: AlertMutesTable
  alert_windows: AlertWindowsTable
  alert_thresholds: AlertThresholdsTable
  alert_troubles: AlertTroublesTable
}

interface AlertRulesTable {
  id: string
  organization_id: number
  project_id: number | null
  rule: string
  sent: string | null
  created_at: number
  revision: number
}

interface AlertTransitionsTable {
  project_id: number
  id: string
  issue_id: number
  kind: string
  at: number
  detail: string
}

interface AlertRuleSetsTable {
  project_id: number
  id: string
  rule_ids: string
  at: number
}

interface AlertDecisionsTable {
  project_id: number
  issue_id: number
  rule_id: string
  rule_set_id: string | null
  transition_id: string
  kind: string
  at: number
  decided_at: number
  result: string
  delivery_ids: string
  notice: string | null
}

interface AlertDestinationsTable {
  id: string
  organization_id: number
  name: string
  channel: string
  settings: string
  secrets: string | null
  created_at: number
  disabled_at: number | null
  disabled_reason: string | null
  failing_since: number | null
  last_error: string | null
}

interface PushSubscriptionsTable {
  id: string
  user_id: string
  secrets: string
  name: string
  created_at: number
}

interface AlertDeliveriesTable {
  id: string
  organization_id: number
  destination_id: string | null
  user_id: string | null
  push_id: string | null
  kind: string
  first_project_id: number
  transition_count: number
  message: string
  created_at: number
  due_at: number
  expires_at: number
  attempt_count: Generated<number>
  leased_until: number | null
  status: string
  finished_at: number | null
}

interface AlertAttemptsTable {
  delivery_id: string
  at: number
  status: number | null
  answer: string
  duration_ms: number
}

interface AlertThreadsTable {
  project_id: number
  issue_id: number
  destination_id: string
  reference: string
  at: number
}

interface InboxItemsTable {
  project_id: number
  issue_id: number
  user_id: string
  id: string
  kind: string
  at: number
  rule_ids: string
  read_at: number | null
  notice: string | null
}

interface NotificationPreferencesTable {
  project_id: number
  user_id: string
  transition: string
  way: string
}

interface AlertMutesTable {
  id: string
  organization_id: number
  rule_id: string | null
  project_id: number | null
  name: string
  until_at: number
  user_id: string | null
  created_at: number
}

interface AlertWindowsTable {
  project_id: number
  window_ms: number
  bucket_at: number
  issue_id: number
  event_count: number
  user_hashes: Uint8Array | null
}

interface AlertThresholdsTable {
  project_id: number
  issue_id: number
  rule_id: string
  fired_at: number
}

interface AlertTroublesTable {
  project_id: number
  kind: string
  subject: string
  since_at: number
  last_at: number
}
