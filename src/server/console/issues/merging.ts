import { notFound } from '@tanstack/react-router'
import { findShortId } from '#search/direct-target.ts'
import { projectsWith, type Viewer } from '#server/auth/viewer.ts'
import type { Services } from '#server/services.ts'
import { recordComment, recordCommentChange } from '#server/store/triage/comments.ts'
import { recordDeletion } from '#server/store/triage/deletion.ts'
import { recordMerge, recordUnmerge } from '#server/store/triage/merge.ts'
import type { MergeRefusal } from '#server/store/triage/merge.ts'
import { findIssueByShortId, findMergedInto } from '#server/store/triage/merged-issue.ts'
import { toDoneAction, toSelection } from './actions.ts'
import type { DoneAction } from './actions.ts'
import { parseIssueId } from './issues.ts'

type ActionServices = Pick<Services, 'store' | 'clock'>

/** What a merge came to: nothing was done where it is refused. */
export type DoneMerge = (DoneAction & { intoId: string }) | { refused: MergeRefusal | 'no-such-issue' }

/** What a form asks to merge. */
export interface PostedMerge {
  issueIds: string[]
  /** The one that stays; otherwise the one with the most events. */
  intoId?: string | undefined
  /** One more, as people write it down: a link, a short id or an id. */
  other?: string | undefined
}

/** Merges issues into one of them. Throws the router's not-found where none of them is there. */
export async function mergeIssues(
  { store, clock }: ActionServices,
  viewer: Viewer,
  posted: PostedMerge,
): Promise<DoneMerge> {
  const selection = toSelection(viewer, posted)
  if (posted.other !== undefined && posted.other !== '') {
    const other = await findNamedIssue({ store }, posted.other, selection.projectIds)
    if (other === undefined) return { refused: 'no-such-issue' }
    selection.issueIds = [...new Set([...selection.issueIds, other])]
  }
  const intoId = posted.intoId === undefined ? undefined : parseIssueId(posted.intoId)
  const result = await recordMerge(store, selection, {
    userId: viewer.userId,
    at: clock(),
    ...(intoId !== undefined && { intoId }),
  })
  if ('refused' in result) return result
  const asked = { issueIds: selection.issueIds.map(String) }
  return { ...toDoneAction(asked, result), intoId: String(result.intoId) }
}

/**
 * The issue that a link, a short id or an id means, of those somebody may change; followed to what it was
 * merged into.
 */
async function findNamedIssue(
  { store }: Pick<Services, 'store'>,
  text: string,
  projectIds: readonly number[],
): Promise<number | undefined> {
  const [, linked] = /\/issues\/(\d{1,16})(?:[/?#]|$)/.exec(text.trim()) ?? []
  const issueId = parseIssueId(linked ?? text.trim())
  if (issueId === undefined) {
    const shortId = findShortId(text.trim())
    return shortId && findIssueByShortId(store.db, { ...shortId, projectIds })
  }
  return (await findMergedInto(store.db, { issueId, projectIds })) ?? issueId
}

/** What taking parts out came to: nothing was done where it is refused. */
export type DoneUnmerge = DoneAction | { refused: 'no-such-part' | 'nothing-left' }

/** Takes parts out of a merged issue. Throws the router's not-found where it is not there. */
export async function unmergeIssues(
  { store, clock }: ActionServices,
  viewer: Viewer,
  posted: { issueIds: string[]; partIds: string[] },
): Promise<DoneUnmerge> {
  const partIds = posted.partIds.map(parseIssueId).filter((id) => id !== undefined)
  const result = await recordUnmerge(store, toSelection(viewer, posted), {
    userId: viewer.userId,
    at: clock(),
    partIds,
  })
  return 'refused' in result ? result : toDoneAction(posted, result)
}

/**
 * Deletes issues, and with `discards` all events that would belong to them. Throws the router's not-found
 * where none is there.
 */
export async function deleteIssues(
  { store, clock, log }: ActionServices & Pick<Services, 'log'>,
  viewer: Viewer,
  posted: { issueIds: string[]; discards: boolean },
): Promise<DoneAction> {
  const selection = { ...toSelection(viewer, posted), projectIds: projectsWith(viewer, 'configure') }
  const actor = { userId: viewer.userId, at: clock() }
  const result = await recordDeletion(store, selection, { ...actor, discards: posted.discards })
  const done = toDoneAction(posted, result)
  log.info(
    { userId: viewer.userId, issueIds: done.issueIds, discards: posted.discards },
    'issues were deleted',
  )
  return done
}

/** What a form does with a comment: writes one, changes one, or with no text and an id deletes it. */
export interface PostedComment {
  issueId: string
  commentId?: string | undefined
  text: string
  does: 'save' | 'delete'
}

/**
 * Writes, changes or deletes one of the viewer's own comments. Throws the router's not-found where it is not
 * there.
 */
export async function changeComment(
  { store, clock }: ActionServices,
  viewer: Viewer,
  { issueId, commentId, text, does }: PostedComment,
): Promise<{ issueId: string }> {
  const id = parseIssueId(issueId)
  const place = { issueId: id ?? -1, projectIds: projectsWith(viewer, 'triage') }
  const actor = { userId: viewer.userId, at: clock() }
  const isDone =
    commentId === undefined
      ? await recordComment(store, place, { ...actor, text })
      : await recordCommentChange(store, place, { ...actor, commentId, ...(does === 'save' && { text }) })
  if (!isDone) throw notFound()
  return { issueId }
}
