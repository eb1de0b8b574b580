import type { CheckIn } from '#monitors/check-in.ts'

/** A check-in that waits for the clock of the monitors. */
export interface QueuedCheckIn {
  projectId: number
  /** Unix milliseconds. */
  receivedAt: number
  checkIn: CheckIn
}
