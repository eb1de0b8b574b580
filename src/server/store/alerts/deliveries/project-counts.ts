import type { Db } from '#server/store/schema/database.ts'
import { minuteMs } from '#time/time-steps.ts'

/** Transitions may be added by another process, which has read the time earlier. */
const clockToleranceMs = minuteMs

/**
 * The number of a message's transitions by project, also of those that it only counts. From the decisions,
 * which name their messages. One statement.
 */
export async function countDeliveryTransitions(
  db: Db,
  { id, organizationId, createdAt }: { id: string; organizationId: number; createdAt: number },
): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('alert_decisions')
    .select('project_id')
    .select((of) => of.fn.count<number>('transition_id').distinct().as('count'))
    .where('project_id', 'in', (of) =>
      of.selectFrom('projects').select('projects.id').where('organization_id', '=', organizationId),
    )
    .where('decided_at', '>=', createdAt - clockToleranceMs)
    // Ids contain no wildcards.
    .where('delivery_ids', 'like', `%"${id}"%`)
    .groupBy('project_id')
    .execute()
  return new Map(rows.map(({ project_id, count }) => [project_id, count]))
}
