/** Rules of alerts, and what they decide about. */
export interface AlertTables {
  alert_rules: AlertRulesTable
  alert_transitions: AlertTransitionsTable
  alert_decisions: AlertDecisionsTable
}

interface AlertRulesTable {
  id: string
  organization_id: number
  project_id: number | null
  rule: string
  created_at: number
}

interface AlertTransitionsTable {
  project_id: number
  id: string
  issue_id: number
  kind: string
  at: number
  detail: string
}

interface AlertDecisionsTable {
  project_id: number
  issue_id: number
  rule_id: string
  transition_id: string
  kind: string
  at: number
  decided_at: number
  result: string
}
