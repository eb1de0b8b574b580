import type { StoredSettings } from '#monitors/uptime.ts'
import type { CheckInStatus } from '#monitors/verdicts.ts'
import type { CheckInRecord, MonitorKind } from '#server/store/monitors/records.ts'
import type { ProjectName } from '#server/store/projects/records.ts'

/** The number of check-ins of each status in a step of a timeline. */
export type StepCounts = Partial<Record<CheckInStatus, number>>

/** A monitor in an environment. Instants are Unix milliseconds. */
export interface EnvironmentView {
  name: string
  lastStatus: CheckInStatus
  lastAt: number
  /** When the next run is expected; absent while the monitor is paused. */
  nextAt?: number
  isFailing: boolean
  /** The issue of its failures. */
  issueId?: string
  /** Oldest first. */
  steps: StepCounts[]
  /** The mean duration of ended check-ins per step, in milliseconds; null for a step without one. */
  durations: (number | null)[]
  /** The share of successes among check-ins with a known end, 0 to 1; absent without one. */
  okShare?: number
}

/** A monitor with its environments. */
export interface MonitorSummary {
  id: string
  slug: string
  name: string
  project: ProjectName
  kind: MonitorKind
  schedule: string
  /** The checked URL, without possibly secret parts. */
  target?: string
  isPaused: boolean
  isMuted: boolean
  environments: EnvironmentView[]
}

/** The data of `/monitors`. */
export interface MonitorListView {
  now: number
  projects: ProjectName[]
  /** True if the viewer may create monitors in one of the projects. */
  canCreate: boolean
  monitors: MonitorSummary[]
  /** Monitors of the page that this version cannot read. */
  unreadable: { id: string; name: string; projectName: string; canConfigure: boolean }[]
  stepMs: number
  hasNext: boolean
}

/** The data of a monitor's page. */
export interface MonitorView {
  now: number
  monitor: MonitorSummary
  /** The headers and body of a check are empty for viewers who may not configure it. */
  settings: StoredSettings
  configProblem?: string
  /** `text` is the value for the form: a user's email address. */
  owner?: { name: string; text: string; isUser: boolean }
  stepMs: number
  canConfigure: boolean
  /** The name of the shown environment; absent before the first check-in. */
  environment?: string
  checkIns: CheckInRecord[]
  /** The origin and key in the URLs for check-ins. */
  origin: string
  publicKey: string
  /** The URL of its badge. */
  badgeUrl: string
}

/** The data of `/monitors/new`: the projects in which one can be created. */
export interface NewMonitorView {
  projects: ProjectName[]
}

/** The data of `/settings/status-page`. */
export interface StatusPageSettingsView {
  organizations: {
    id: number
    name: string
    isPublished: boolean
    /** Its public URL. */
    url: string
    monitors: { key: string; projectName: string; name: string; publicName: string }[]
  }[]
  /** Maximum number of monitors on a page. */
  limit: number
}
