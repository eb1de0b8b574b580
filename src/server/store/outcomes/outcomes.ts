import { sql } from 'kysely'
import { outcomeKinds, type OutcomeKind } from '#protocol/outcome.ts'
import type { Db } from '#server/store/schema/database.ts'
import type { OutcomeTotal } from './records.ts'

/** Relay's data categories of events. */
export const eventCategories = ['error', 'default', 'security']

/**
 * Categories in which SDKs report a size or a length, in addition to the count of the same items. These
 * numbers would dwarf the counts.
 */
const measureCategories = ['log_byte', 'trace_metric_byte', 'profile_duration']

/** Items with the same outcome in one time step. */
export interface OutcomeStep extends Omit<OutcomeTotal, 'outcome'> {
  outcome: OutcomeKind
  /** The start of the step. Unix milliseconds. */
  startAt: number
}

export interface OutcomeQuery {
  /** The projects to count together, as a list, because the primary key begins with the project. */
  projectIds: readonly number[]
  /** Only steps that begin at or after this instant. */
  since: number
  /** Length of a step: full hours. Steps begin at its multiples, in UTC. */
  stepMs: number
}

/** Items by outcome, oldest step first, without bytes or durations. One statement. */
export async function listOutcomeSteps(
  db: Db,
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
 * Items of the projects since an instant by outcome, largest count first, without bytes or durations. One
 * statement.
 */
export async function listOutcomeTotals(
  db: Db,
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

/** Accepted events by project and time step. One statement. */
export async function listAcceptedSteps(
  db: Db,
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

/** As `listOutcomeSteps`, but per project and up to an instant. One statement. */
export async function listProjectOutcomeSteps(
  db: Db,
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
