import type { BadgeTone } from '#components/ui/badge.tsx'
import type { CheckInStatus } from '#monitors/verdicts.ts'

/** The statuses of check-ins, the one first that decides how a step of several looks. */
export const statusNames: Readonly<Record<CheckInStatus, string>> = {
  error: 'failed',
  missed: 'missed',
  timeout: 'timed out',
  unknown: 'unknown',
  in_progress: 'running',
  ok: 'ok',
  log: 'log',
}

/** The statuses in that order. */
export const shownStatuses: readonly CheckInStatus[] = [
  'error',
  'missed',
  'timeout',
  'unknown',
  'in_progress',
  'ok',
  'log',
]

/** The statuses of checks of uptime. */
export const uptimeNames: Readonly<Record<CheckInStatus, string>> = {
  ...statusNames,
  error: 'down',
  ok: 'up',
}

/** How the statuses look. */
export const statusTones: Readonly<Record<CheckInStatus, BadgeTone>> = {
  error: 'danger',
  missed: 'danger',
  timeout: 'danger',
  unknown: 'neutral',
  in_progress: 'accent',
  ok: 'success',
  log: 'neutral',
}
