import type { FilterSubject } from './filter-subject.ts'
import type { GlobSet } from './glob.ts'

/** What load balancers and orchestrators call every few seconds: Sentry's `HEALTH_CHECK_GLOBS`. */
export const healthCheckTransactions: readonly string[] = [
  '*healthcheck*',
  '*heartbeat*',
  '*/health',
  '*/healthy',
  '*/healthz',
  '*/live',
  '*/livez',
  '*/ready',
  '*/readyz',
  '*/ping',
]

/** True for a transaction with a filtered name. An error that happened in one is kept. */
export function isFilteredTransaction({ type, transaction }: FilterSubject, names: GlobSet): boolean {
  return type === 'transaction' && transaction !== undefined && names.matches(transaction)
}
