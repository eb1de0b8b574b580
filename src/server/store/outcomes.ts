import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { outcomeKinds } from '#protocol/outcome.ts'
import type { OutcomeKind } from '#protocol/outcome.ts'
import type { Database } from './schema.ts'
import type { OutcomeTotal } from './views.ts'

/** The data categories (Relay's) whose items are events. */
export const eventCategories = ['error', 'default', 'security']

/**
 * Categories in which SDKs report a size or a length beside the count of the same items. Added to counts they would bury
 * them.
 */
const measureCategories = ['log_byte', 'trace_metric_byte', 'profile_duration']

/** Items that came to the same end in one step of time. */
export interface OutcomeStep extends OutcomeTotal {
  /** When the step began. Unix milliseconds. */
  startAt: number
}

export interface OutcomeQuery {
  /** Left out: all projects together. */
  projectId?: number
  /** Steps that began at or after this instant. */
  since: number
  /** Length of a step: hours. Steps begin at its multiples, in UTC. */
  stepMs: number
}

/**
 * What came in and what became of it, oldest step first: items only, no bytes or durations. One statement, by the key of
 * each project.
 */
export async function listOutcomeSteps(db: Kysely<Database>, query: OutcomeQuery): Promise<OutcomeStep[]> {
  const { projectId, since, stepMs } = query
  const startAt = sql<number>`o.hour - o.hour % ${sql.lit(stepMs)}`
  let select = db
    .selectFrom('projects as p')
    .innerJoin('outcome_hours as o', (join) =>
      join.onRef('o.project_id', '=', 'p.id').on('o.hour', '>=', since),
    )
    .select([startAt.as('startAt'), 'o.outcome', 'o.reason', 'o.category'])
    .select((of) => of.fn.sum<number>('o.quantity').as('quantity'))
    .where('o.category', 'not in', measureCategories)
    .groupBy([startAt, 'o.outcome', 'o.reason', 'o.category'])
    .orderBy('startAt')
  if (projectId !== undefined) select = select.where('p.id', '=', projectId)
  const rows = await select.execute()
  return rows.map((row) => Object.assign(row, { outcome: toOutcomeKind(row.outcome) }))
}

function toOutcomeKind(text: string): OutcomeKind {
  return outcomeKinds.find((kind) => kind === text) ?? 'invalid'
}
