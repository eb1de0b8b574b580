import { randomBytes } from 'node:crypto'
import type { Tx } from '#server/store/schema/database.ts'

/** A user who acts, and when. */
export interface Actor {
  userId: string
  /** Unix milliseconds. */
  at: number
}

/** One action, on one or more issues. */
export interface TriageAction {
  /** Null for the system. */
  userId: string | null
  at: number
  /** Recorded in the activity of every issue that the action changed, for undo. */
  actionId: string
}

/** Creates an action of a user. */
export function startAction({ userId, at }: Actor): TriageAction {
  return { userId, at, actionId: createActivityId(at) }
}

/** Creates an action of the system. */
export function startSystemAction(at: number): TriageAction {
  return { userId: null, at, actionId: createActivityId(at) }
}

/** An id that sorts by time; 8 random bytes make it unique. */
export function createActivityId(at: number): string {
  return `${at.toString(36).padStart(9, '0')}-${randomBytes(8).toString('hex')}`
}

/** The kind of an entry in an issue's activity. */
export type ActivityKind =
  | 'comment'
  | 'status'
  | 'assigned'
  | 'regressed'
  | 'reopened'
  | 'merged'
  | 'merged_into'
  | 'unmerged'
  | 'unmerged_from'
  | 'undone'
  | 'linked'
  | 'unlinked'
  | 'link_closed'
  | 'link_reopened'

/** An entry of an issue's activity. */
export interface ActivityRecord {
  projectId: number
  issueId: number
  kind: ActivityKind
  detail: object
}

/** The row of an activity entry. */
export function toActivityRow(
  { actionId, at, userId }: TriageAction,
  { projectId, issueId, kind, detail }: ActivityRecord,
) {
  return {
    project_id: projectId,
    issue_id: issueId,
    id: createActivityId(at),
    action_id: actionId,
    at,
    user_id: userId,
    kind,
    detail: JSON.stringify(detail),
    edited_at: null,
  }
}

/** Adds an entry to an issue's activity. Call inside the action's transaction. */
export async function writeActivity(tx: Tx, action: TriageAction, entry: ActivityRecord): Promise<void> {
  await tx.insertInto('issue_activity').values(toActivityRow(action, entry)).execute()
}
