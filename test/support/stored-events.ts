import type { Store } from '#server/store/store.ts'

/** The ids of a project's stored events, sorted. */
export async function storedEventIds(store: Store, projectId: number): Promise<string[]> {
  const rows = await store.db
    .selectFrom('events')
    .select('event_id')
    .where('project_id', '=', projectId)
    .execute()
  return rows.map((row) => Buffer.from(row.event_id).toString('hex')).toSorted()
}

/** The outcomes of a project: `category outcome reason` and the quantity. */
export async function countedOutcomes(store: Store, projectId: number): Promise<Record<string, number>> {
  const rows = await store.db
    .selectFrom('outcome_hours')
    .selectAll()
    .where('project_id', '=', projectId)
    .execute()
  const counts: Record<string, number> = {}
  for (const { category, outcome, reason, quantity } of rows) {
    const name = `${category} ${outcome}${reason === '' ? '' : ` ${reason}`}`
    counts[name] = (counts[name] ?? 0) + quantity
  }
  return counts
}
