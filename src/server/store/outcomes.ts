import type { Kysely } from 'kysely'
import type { Database } from './schema.ts'

/** The data categories (Relay's) whose items are events. */
export const eventCategories = ['error', 'default', 'security']

/** Items of one project that came to the same end in one hour. */
export interface OutcomeHour {
  projectId: number
  /** When the hour began. Unix milliseconds. */
  hour: number
  category: string
  outcome: string
  /** Empty for `accepted`. */
  reason: string
  quantity: number
}

export interface OutcomeQuery {
  projectId: number
  /** Hours that began at or after this instant. */
  since: number
}

/** What came in for a project and what became of it, oldest hour first. One statement. */
export async function listOutcomeHours(db: Kysely<Database>, query: OutcomeQuery): Promise<OutcomeHour[]> {
  return db
    .selectFrom('outcome_hours')
    .select(['project_id as projectId', 'hour', 'category', 'outcome', 'reason', 'quantity'])
    .where('project_id', '=', query.projectId)
    .where('hour', '>=', query.since)
    .orderBy('hour')
    .orderBy('category')
    .orderBy('outcome')
    .orderBy('reason')
    .execute()
}
