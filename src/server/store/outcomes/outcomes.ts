import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { outcomeKinds } from '#protocol/outcome.ts'
import type { OutcomeKind } from '#protocol/outcome.ts'
import type { Database } from '#server/store/schema/database.ts'
import type { OutcomeTotal } from './records.ts'

/** The data categories (Relay's) whose items are events. */
export const eventCategories = ['error', 'default', 'security']

/**
 * Categories in which SDKs report a size or a length in addition to the count of the same items. Added to
 * counts they would dwarf them.
 */
const measureCategories = ['log_byte', 'trace_metric_byte', 'profile_duration']

/** Items with the same outcome in one time step. */
export interface OutcomeStep extends Omit<OutcomeTotal, 'outcome'> {
  outcome: OutcomeKind
  /** When the step began. Unix milliseconds. */
  startAt: number
}

export interface OutcomeQuery {
  /** Counted together. Named one by one, because the table is read by its key, which a project leads. */
  projectIds: readonly number[]
  /** Steps that began at or after this instant. */
  since: number
  /** Length of a step: hours. Steps begin at its multiples, in UTC. */
  stepMs: number
}

/** Received items and their outcomes, oldest step first: items only, no bytes or durations. One statement. */
export async function listOutcomeSteps(
  db: Kysely<Database>,
  { projectIds, since, stepMs }: OutcomeQuery,
): Promise<OutcomeStep[]> {
  const startAt = sql<number>`hour - hour % ${sql.lit(stepMs)}`
  const rows = await db
    .selectFrom('outcome_hours')
    .select([startAt.as('startAt'), 'outcome', 'reason', 'category'])
    .select((of) => of.fn.sum<number>('quantity').as('quantity'))
    .where('project_id', 'in', projectIds)
    .where('hour', '>=', since)
    .where('category', 'not in', measureCategories)
    .groupBy([startAt, 'outcome', 'reason', 'category'])
    .orderBy('startAt')
    .execute()
  return rows.map((row) => Object.assign(row, { outcome: toOutcomeKind(row.outcome) }))
}

/**
 * What the projects received since an instant and what became of it, the largest count first: items only. One
 * statement.
 */
export async function listOutcomeTotals(
  db: Kysely<Database>,
  { projectIds, since }: Pick<OutcomeQuery, 'projectIds' | 'since'>,
): Promise<OutcomeTotal[]> {
  const rows = await db
    .selectFrom('outcome_hours')
    .select(['outcome', 'reason', 'category'])
    .select((of) => of.fn.sum<number>('quantity').as('quantity'))
    .where('project_id', 'in', projectIds)
    .where('hour', '>=', since)
    .where('category', 'not in', measureCategories)
    .groupBy(['outcome', 'reason', 'category'])
    .orderBy('quantity', 'desc')
    .orderBy('reason')
    .execute()
  return rows.map((row) => Object.assign(row, { outcome: toOutcomeKind(row.outcome) }))
}

/** Events that were accepted, by project and step of time. One statement. */
export async function listAcceptedSteps(
  db: Kysely<Database>,
  { projectIds, since, stepMs }: OutcomeQuery,
): Promise<{ projectId: number; startAt: number; quantity: number }[]> {
  const startAt = sql<number>`hour - hour % ${sql.lit(stepMs)}`
  return db
    .selectFrom('outcome_hours')
    .select(['project_id as projectId', startAt.as('startAt')])
    .select((of) => of.fn.sum<number>('quantity').as('quantity'))
    .where('project_id', 'in', projectIds)
    .where('hour', '>=', since)
    .where('outcome', '=', 'accepted')
    .where('category', 'in', eventCategories)
    .groupBy(['project_id', startAt])
    .execute()
}

/** As `listOutcomeSteps`, for each project and up to an instant. One statement. */
export async function listProjectOutcomeSteps(
  db: Kysely<Database>,
  { projectIds, since, until, stepMs }: OutcomeQuery & { until: number },
): Promise<(OutcomeStep & { project: number })[]> {
  const startAt = sql<number>`hour - hour % ${sql.lit(stepMs)}`
  const rows = await db
    .selectFrom('outcome_hours')
    .select(['project_id as project', startAt.as('startAt'), 'outcome', 'reason', 'category'])
    .select((of) => of.fn.sum<number>('quantity').as('quantity'))
    .where('project_id', 'in', projectIds)
    .where('hour', '>=', since)
    .where('hour', '<', until)
    .where('category', 'not in', measureCategories)
    .groupBy(['project_id', startAt, 'outcome', 'reason', 'category'])
    .execute()
  return rows.map((row) => Object.assign(row, { outcome: toOutcomeKind(row.outcome) }))
}

function toOutcomeKind(text: string): OutcomeKind {
  return outcomeKinds.find((kind) => kind === text) ?? 'invalid'
}
