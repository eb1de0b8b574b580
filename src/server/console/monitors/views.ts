import type { StoredSettings } from '#monitors/uptime.ts'
import type { CheckInStatus } from '#monitors/verdicts.ts'
import type { CheckInRecord, MonitorKind } from '#server/store/monitors/records.ts'
import type { ProjectName } from '#server/store/projects/records.ts'

/** A step of a timeline: how many check-ins had each status. */
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
  /** The oldest first. */
  steps: StepCounts[]
  /** The mean duration of the ends in each of them, in milliseconds; null: none had one. */
  durations: (number | null)[]
  /** The share of successes among ends that are known, 0 to 1; absent without one. */
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
  /** The address that is checked, without what may be secret. */
  target?: string
  isPaused: boolean
  isMuted: boolean
  environments: EnvironmentView[]
}

/** The screen `/monitors`. */
export interface MonitorListView {
  now: number
  projects: ProjectName[]
  /** The viewer may create monitors in one of the projects. */
  mayCreate: boolean
  monitors: MonitorSummary[]
  stepMs: number
  hasNext: boolean
}

/** The screen of one monitor. */
export interface MonitorView {
  now: number
  monitor: MonitorSummary
  /** A check's headers and body are empty for viewers who may not configure it. */
  settings: StoredSettings
  configProblem?: string
  /** `text`: for the form, the address of a user. */
  owner?: { name: string; text: string; isUser: boolean }
  stepMs: number
  mayConfigure: boolean
  /** Of the shown environment; absent before the first check-in. */
  environment?: string
  checkIns: CheckInRecord[]
  /** The origin and key for the addresses of check-ins. */
  origin: string
  publicKey: string
  /** The address of its badge. */
  badgeUrl: string
}

/** The screen `/monitors/new`: the projects that may get one. */
export interface NewMonitorView {
  projects: ProjectName[]
}

/** The screen `/settings/status-page`. */
export interface StatusPageSettingsView {
  organizations: {
    id: number
    name: string
    isPublished: boolean
    /** Its public address. */
    url: string
    monitors: { key: string; projectName: string; name: string; publicName: string }[]
  }[]
  /** Monitors on a page. */
  limit: number
}
