/** Monitors, their check-ins, and the work of their clock. */
export interface MonitorTables {
  monitors: MonitorsTable
  monitor_environments: MonitorEnvironmentsTable
  monitor_check_ins: MonitorCheckInsTable
  monitor_counts: MonitorCountsTable
  monitor_incidents: MonitorIncidentsTable
  monitor_queue: MonitorQueueTable
  monitor_signals: MonitorSignalsTable
  monitor_gaps: MonitorGapsTable
  monitor_clock: MonitorClockTable
}

interface MonitorsTable {
  project_id: number
  id: string
  slug: string
  name: string
  kind: string
  settings: string
  is_paused: number
  is_muted: number
  badge_secret: string
  config_problem: string | null
  public_name: string | null
  created_at: number
}

interface MonitorEnvironmentsTable {
  project_id: number
  monitor_id: string
  environment: string
  state: string
  wake_at: number | null
  check_at: number | null
  latest_event_id: Uint8Array | null
  issue_id: number | null
}

interface MonitorCheckInsTable {
  project_id: number
  monitor_id: string
  environment: string
  id: string
  at: number
  slot_at: number | null
  status: string
  finished_at: number | null
  duration_ms: number | null
  release: string | null
  trace_id: string | null
  body: string | null
  seen: string | null
}

interface MonitorCountsTable {
  project_id: number
  monitor_id: string
  environment: string
  step_ms: number
  at: number
  status: string
  quantity: number
  duration_count: number
  duration_total_ms: number
}

interface MonitorIncidentsTable {
  project_id: number
  monitor_id: string
  environment: string
  began_at: number
  ended_at: number | null
}

interface MonitorQueueTable {
  project_id: number
  id: string
  received_at: number
  data: string
}

interface MonitorSignalsTable {
  project_id: number
  id: string
  monitor_id: string
  environment: string
  signal: string
  event_id: string
}

interface MonitorGapsTable {
  from_at: number
  to_at: number
}

interface MonitorClockTable {
  id: number
  ticked_at: number
}
