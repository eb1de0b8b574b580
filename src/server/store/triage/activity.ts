import { randomBytes } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Database } from '#server/store/schema/database.ts'
import type { IssueState } from './state.ts'

/** Who does something, and when. */
export interface Actor {
  userId: string
  /** Unix milliseconds. */
  at: number
}

/** One action, on however many issues. */
export interface Action extends Actor {
  /** Stands in the activity of every issue the action changed, and takes it back. */
  actionId: string
}

/** An issue's state as an action found it and as the action left it. */
export interface StateChange {
  projectId: number
  issueId: number
  before: IssueState
  after: IssueState
}

/** A new action of somebody. */
export function startAction({ userId, at }: Actor): Action {
  return { userId, at, actionId: createActivityId(at) }
}

/** Sorts as time does; unique without asking anybody. */
export function createActivityId(at: number): string {
  return `${at.toString(36).padStart(9, '0')}-${randomBytes(8).toString('hex')}`
}

/** What an entry of an issue's activity is about. */
export type ActivityKind =
  | 'comment'
  | 'status'
  | 'assigned'
  | 'merged'
  | 'merged_into'
  | 'unmerged'
  | 'unmerged_from'
  | 'undone'

/** Notes in an issue's activity what an action did to it. Inside the action's transaction. */
export async function writeActivity(
  tx: Transaction<Database>,
  { actionId, at, userId }: Action,
  entry: { projectId: number; issueId: number; kind: ActivityKind; detail: object },
): Promise<void> {
  await tx
    .insertInto('issue_activity')
    .values({
      project_id: entry.projectId,
      issue_id: entry.issueId,
      id: createActivityId(at),
      action_id: actionId,
      at,
      user_id: userId,
      kind: entry.kind,
      detail: JSON.stringify(entry.detail),
      edited_at: null,
    })
    .execute()
}
