import type { SessionState } from '#protocol/session.ts'
import type { HealthPeriod, HealthStep } from '#server/store/releases/records.ts'

/** The states of a session in the order they are shown. */
export const shownStates: readonly SessionState[] = ['healthy', 'errored', 'unhandled', 'abnormal', 'crashed']

/** Every state of a session with its name on the screen. */
export const stateNames: Record<SessionState, string> = {
  healthy: 'healthy',
  errored: 'errored',
  unhandled: 'unhandled',
  abnormal: 'abnormal',
  crashed: 'crashed',
}

/** The description of each state. */
export const stateSentences: Record<SessionState, string> = {
  healthy: 'No errors, or still running.',
  errored: 'A handled error was reported.',
  unhandled: 'An unhandled error occurred, but the application continued.',
  abnormal: 'Ended abnormally (killed, hang, power loss).',
  crashed: 'Crashed.',
}

/** Every period with its name on the screen. */
export const healthPeriodNames: Record<HealthPeriod, string> = {
  '24h': '24 hours',
  '14d': '14 days',
  '90d': '90 days',
}

/** The periods to choose from. */
export const shownPeriods: readonly HealthPeriod[] = ['24h', '14d', '90d']

/** The period shown when the URL names none. */
export const defaultHealthPeriod: HealthPeriod = '14d'

/** All sessions of a step, or of several together. */
export function sumStates(counts: Readonly<Record<SessionState, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

/** Three shares of each step, in percent; undefined where there is nothing to have a share of. */
export interface StepRates {
  crashFreeSessions: number | undefined
  crashFreeUsers: number | undefined
  adoption: number | undefined
}

/** The text of a step. */
export function toStepRates({
  counts,
  userCount,
  crashedUserCount,
  projectSessionCount,
}: HealthStep): StepRates {
  const sessionCount = sumStates(counts)
  return {
    crashFreeSessions: percentOf(sessionCount - counts.crashed, sessionCount),
    crashFreeUsers: percentOf(userCount - crashedUserCount, userCount),
    adoption: percentOf(sessionCount, projectSessionCount),
  }
}

function percentOf(part: number, whole: number): number | undefined {
  return whole > 0 ? Math.max(0, Math.min(100, (part / whole) * 100)) : undefined
}

const floors = [99.9, 99, 95, 90, 75, 50]

/** The start of the axis of rates, so that losses are visible: a round number below all rates. */
export function rateFloor(rates: readonly (number | undefined)[]): number {
  const lowest = Math.min(100, ...rates.map((rate) => rate ?? 100))
  return lowest === 100 ? 99 : (floors.find((floor) => floor < lowest) ?? 0)
}
