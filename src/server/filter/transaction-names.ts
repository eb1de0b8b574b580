import type { FilterSubject } from './filter-subject.ts'
import type { GlobSet } from './glob.ts'

/** Health checks of load balancers and orchestrators: Sentry's `HEALTH_CHECK_GLOBS`. */
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

/**
 * True for a transaction with a filtered name, either as sent or as displayed: in streams and from
 * OpenTelemetry a name may be just `GET`. Errors in such a transaction are stored.
 */
export function isFilteredTransaction(
  { type, transaction, shownTransaction, endpoint }: FilterSubject,
  names: GlobSet,
): boolean {
  return (
    type === 'transaction' &&
    [transaction, shownTransaction, endpoint].some((name) => name !== undefined && names.matches(name))
  )
}
