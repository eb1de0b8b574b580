import type { CheckIn } from '#monitors/check-in.ts'
import type { CheckSeen } from '#monitors/uptime.ts'
import type { CheckInStatus } from '#monitors/verdicts.ts'

/** The kinds of monitors: jobs that check in, and addresses that Culvert checks. */
export type MonitorKind = 'cron' | 'uptime'

/** A check-in in the queue of the monitors' clock. */
export interface QueuedCheckIn {
  projectId: number
  /** Unix milliseconds. */
  receivedAt: number
  checkIn: CheckIn
}

/** The number of ended check-ins of a status in a step of a timeline. */
export interface StatusStep {
  monitorId: string
  environment: string
  status: CheckInStatus
  /** Index from 0. */
  step: number
  count: number
  /** Number of those with a duration. */
  durationCount: number
  durationTotalMs: number
}

/** A check-in with the data of its page. Instants are Unix milliseconds. */
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
  /** The response of a check. */
  seen?: CheckSeen
  /** 32 lower-case hex digits. */
  traceId?: string
}
