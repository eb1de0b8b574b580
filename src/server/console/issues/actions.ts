import { notFound } from '@tanstack/react-router'
import { projectsWith, type Viewer } from '#server/auth/viewer.ts'
import { limits } from '#server/limits.ts'
import type { Services } from '#server/services.ts'
import type { IssueStatus } from '#server/store/issues/records.ts'
import { recordAssignee } from '#server/store/triage/assignee.ts'
import type { ActionResult, IssueSelection } from '#server/store/triage/changed-issues.ts'
import { recordIssueStatus } from '#server/store/triage/status.ts'
import type { ArchiveUntil, StatusChange } from '#server/store/triage/status.ts'
import { recordUndo } from '#server/store/triage/undo.ts'
import { dayMs, hourMs } from '#time/time-steps.ts'
import { parseIssueId } from './issues.ts'

type ActionServices = Pick<Services, 'store' | 'clock'>

/** What an action did, for who asked for it. */
export interface DoneAction {
  /** Takes the action back. */
  actionId: string
  /** The issues it was for, changed or already so. */
  issueIds: string[]
  /** How many of those that were asked for are not there. */
  missingCount: number
  /** By issue: the status it had. */
  formerStatuses: Record<string, IssueStatus>
}

/** What a form says of a status. */
export interface PostedStatus {
  issueIds: string[]
  status: string
  release?: string | undefined
  until?: number | undefined
  count?: number | undefined
}

/** Sets the status of issues. Throws the router's not-found where none of them is there. */
export async function changeIssueStatus(
  { store, clock }: ActionServices,
  viewer: Viewer,
  posted: PostedStatus,
): Promise<DoneAction> {
  const at = clock()
  const change = toStatusChange(posted, at)
  return toDoneAction(
    posted,
    await recordIssueStatus(store, toSelection(viewer, posted), { userId: viewer.userId, at, change }),
  )
}

const spans: Record<string, number> = {
  'archived:hour': hourMs,
  'archived:day': dayMs,
  'archived:week': 7 * dayMs,
  'archived:month': 30 * dayMs,
}

/** What a choice means. One that lacks its field is the plain status. */
function toStatusChange({ status, release, until, count }: PostedStatus, now: number): StatusChange {
  if (status === 'unresolved') return { status }
  if (status === 'resolved:next-release') return { status: 'resolved', fixedIn: 'next_release' }
  if (status === 'resolved:release' && release !== undefined)
    return { status: 'resolved', fixedIn: { release } }
  if (status.startsWith('resolved')) return { status: 'resolved' }
  const latest = now + limits.archiveDays * dayMs
  const terms: Record<string, ArchiveUntil> = {
    'archived:escalates': { escalates: true },
    ...(until !== undefined && { 'archived:until': { at: Math.min(until, latest) } }),
    ...(count !== undefined && {
      'archived:events': { moreEvents: count },
      'archived:users': { moreUsers: count },
    }),
  }
  const spanMs = spans[status]
  const term = spanMs === undefined ? terms[status] : { at: now + spanMs }
  return { status: 'archived', ...(term !== undefined && { until: term }) }
}

/** What assigning came to: nothing was done when the person does not reach all of the projects. */
export type DoneAssignment = DoneAction | { refused: 'assignee-does-not-reach' }

/**
 * Gives issues to a user, to the viewer (`me`) or to nobody. Throws the router's not-found where none of them
 * is there.
 */
export async function assignIssues(
  { store, clock }: ActionServices,
  viewer: Viewer,
  posted: { issueIds: string[]; assignee: string },
): Promise<DoneAssignment> {
  const { assignee } = posted
  const named = assignee === 'me' ? viewer.userId : assignee
  const result = await recordAssignee(store, toSelection(viewer, posted), {
    userId: viewer.userId,
    at: clock(),
    assigneeId: assignee === 'nobody' ? null : named,
  })
  return 'refused' in result ? result : toDoneAction(posted, result)
}

/** Takes an action of the viewer's back. Throws the router's not-found where none of its issues is there. */
export async function undoIssueAction(
  { store, clock }: ActionServices,
  viewer: Viewer,
  posted: { issueIds: string[]; actionId: string },
): Promise<DoneAction> {
  const { actionId } = posted
  return toDoneAction(
    posted,
    await recordUndo(store, toSelection(viewer, posted), { userId: viewer.userId, at: clock(), actionId }),
  )
}

/** The issues of a form, those that the viewer may change. */
export function toSelection(viewer: Viewer, { issueIds }: { issueIds: string[] }): IssueSelection {
  const ids = new Set(issueIds.map(parseIssueId).filter((id) => id !== undefined))
  return { issueIds: [...ids], projectIds: projectsWith(viewer, 'triage') }
}

/** What an action did. Throws the router's not-found where it found no issue. */
export function toDoneAction(
  { issueIds: asked }: { issueIds: string[] },
  { actionId, issueIds, formerStatuses }: ActionResult,
): DoneAction {
  if (issueIds.length === 0) throw notFound()
  const missingCount = new Set(asked).size - issueIds.length
  return { actionId, issueIds: issueIds.map(String), missingCount, formerStatuses }
}
