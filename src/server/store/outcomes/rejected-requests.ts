import { findRejectionReason, rejectionCategory, type RejectionReason } from '#protocol/rejection.ts'
import type { Db } from '#server/store/schema/database.ts'
import { firstOf24Hours } from '#time/time-steps.ts'
import type { OutcomeTotal, RejectedRequestCount } from './records.ts'

/**
 * Counts the requests of the last 24 hours that were rejected for a project, by reason, largest count first.
 * One statement. `now`: Unix milliseconds.
 */
export async function countRejectedRequests(
  db: Db,
  { projectId, now }: { projectId: number; now: number },
): Promise<RejectedRequestCount[]> {
  const rows = await db
    .selectFrom('outcome_hours')
    .select('reason')
    .select((of) => of.fn.sum<number>('quantity').as('requestCount'))
    .where('project_id', '=', projectId)
    .where('hour', '>=', firstOf24Hours(now))
    .where('outcome', '=', 'invalid')
    .where('category', '=', rejectionCategory)
    .groupBy('reason')
    .execute()
  return rows
    .flatMap(({ reason, requestCount }) => {
      const known = findRejectionReason(reason)
      return known === undefined ? [] : [{ reason: known, requestCount }]
    })
    .toSorted((one, other) => other.requestCount - one.requestCount)
}

/** The reason for which requests were rejected; undefined for a total that counts something else. */
export function findRejection({ outcome, category, reason }: OutcomeTotal): RejectionReason | undefined {
  return outcome === 'invalid' && category === rejectionCategory ? findRejectionReason(reason) : undefined
}
