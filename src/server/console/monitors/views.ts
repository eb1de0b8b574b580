import type { MonitorSettings } from '#monitors/schedule.ts'
import type { CheckInStatus } from '#monitors/verdicts.ts'
import type { CheckInRecord } from '#server/store/monitors/records.ts'
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
}

/** A monitor with its environments. */
export interface MonitorSummary {
  id: string
  slug: string
  name: string
  project: ProjectName
  schedule: string
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
  settings: MonitorSettings
  configProblem?: string
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
