import { rejectionNames } from '#server/console/outcomes/rejection-names.ts'
import type { Services } from '#server/services.ts'
import type { OutcomeTotal } from '#server/store/outcomes/records.ts'
import { countRejectedRequests, findRejection } from '#server/store/outcomes/rejected-requests.ts'
import type { RejectedRequestsView } from './views.ts'

/** The requests of the last 24 hours that were rejected for a project, by reason as text. One statement. */
export async function listRejectedRequests(
  { store, clock }: Pick<Services, 'store' | 'clock'>,
  projectId: number,
): Promise<RejectedRequestsView[]> {
  const counts = await countRejectedRequests(store.db, { projectId, now: clock() })
  return counts.map((count) => Object.assign(count, { description: rejectionNames[count.reason] }))
}

/** The same from outcomes that have already been read. */
export function toRejectedRequests(totals: readonly OutcomeTotal[]): RejectedRequestsView[] {
  return totals.flatMap((total) => {
    const reason = findRejection(total)
    if (reason === undefined) return []
    return [{ reason, requestCount: total.quantity, description: rejectionNames[reason] }]
  })
}
