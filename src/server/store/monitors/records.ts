import type { CheckIn } from '#monitors/check-in.ts'
import type { CheckSeen } from '#monitors/uptime.ts'
import type { CheckInStatus } from '#monitors/verdicts.ts'

/** The kinds of monitors: jobs that check in, and addresses that Culvert checks. */
export type MonitorKind = 'cron' | 'uptime'

/** A check-in that waits for the clock of the monitors. */
export interface QueuedCheckIn {
  projectId: number
  /** Unix milliseconds. */
  receivedAt: number
  checkIn: CheckIn
}

/** How many ended check-ins of a status fall into a step of a timeline. */
export interface StatusStep {
  monitorId: string
  environment: string
  status: CheckInStatus
  /** From 0. */
  step: number
  count: number
  /** Of those with a duration. */
  durationCount: number
  durationTotalMs: number
}

/** A check-in as a page shows it. Instants are Unix milliseconds. */
export interface CheckInRecord {
  id: string
  /** When it began, was expected, or was received. */
  at: number
  status: CheckInStatus
  /** When the run was expected. */
  slotAt?: number
  durationMs?: number
  release?: string
  /** The output of the job. */
  body?: string
  /** The result of a check. */
  seen?: CheckSeen
  /** 32 lower-case hex digits. */
  traceId?: string
}
