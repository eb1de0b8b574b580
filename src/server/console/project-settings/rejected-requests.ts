import { rejectionNames } from '#server/console/outcomes/rejection-names.ts'
import type { Services } from '#server/services.ts'
import type { OutcomeTotal } from '#server/store/outcomes/records.ts'
import { countRejectedRequests, findRejection } from '#server/store/outcomes/rejected-requests.ts'
import type { RejectedRequestsView } from './views.ts'

/**
 * The requests of the last 24 hours that were rejected whole for a project, with the reason in words. One
 * statement.
 */
export async function listRejectedRequests(
  { store, clock }: Pick<Services, 'store' | 'clock'>,
  projectId: number,
): Promise<RejectedRequestsView[]> {
  const counts = await countRejectedRequests(store.db, { projectId, now: clock() })
  return counts.map((count) => Object.assign(count, { description: rejectionNames[count.reason] }))
}

/** The same where a project's outcomes have been read. */
export function toRejectedRequests(totals: readonly OutcomeTotal[]): RejectedRequestsView[] {
  return totals.flatMap((total) => {
    const reason = findRejection(total)
    if (reason === undefined) return []
    return [{ reason, requestCount: total.quantity, description: rejectionNames[reason] }]
  })
}
