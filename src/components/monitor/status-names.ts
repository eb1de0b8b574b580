import type { BadgeTone } from '#components/ui/badge.tsx'
import type { CheckInStatus } from '#monitors/verdicts.ts'

/** The statuses of check-ins, by priority: the first one determines how an interval with several looks. */
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

/** The statuses of uptime checks. */
export const uptimeNames: Readonly<Record<CheckInStatus, string>> = {
  ...statusNames,
  error: 'down',
  ok: 'up',
}

/** The tones of the statuses. */
export const statusTones: Readonly<Record<CheckInStatus, BadgeTone>> = {
  error: 'danger',
  missed: 'danger',
  timeout: 'danger',
  unknown: 'neutral',
  in_progress: 'accent',
  ok: 'success',
  log: 'neutral',
}
