import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { signedIn } from '#server/auth/access.functions.ts'
import { postedForm } from '#server/console/forms/posted-form.ts'
import { parseField } from '#time/time-field.ts'
import { appConfig } from '../../../../app.config.ts'
import { assignIssues, changeIssueStatus, undoIssueAction } from './actions.ts'
import { changeComment, deleteIssues, mergeIssues, unmergeIssues } from './merging.ts'

const issueIds = v.pipe(
  v.array(v.pipe(v.string(), v.maxLength(40))),
  v.minLength(1),
  v.maxLength(appConfig.issuesPerAction),
)

/**
 * What an issue can be set to; those with a colon say what brings it back, and some of them take it from a
 * field of its own.
 */
const statusChoices = [
  'unresolved',
  'resolved',
  'resolved:next-release',
  /** Takes `release`. */
  'resolved:release',
  'archived',
  'archived:hour',
  'archived:day',
  'archived:week',
  'archived:month',
  'archived:escalates',
  /** Takes `until`. */
  'archived:until',
  /** Takes `count`. */
  'archived:events',
  /** Takes `count`. */
  'archived:users',
] as const

const digits = v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number))
/** What the form that sets the status of issues posts. */
export const issueStatusForm = v.object({
  issueIds,
  status: v.picklist(statusChoices),
  release: v.optional(v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(250))),
  /** Unix milliseconds; or a day, which begins at midnight in `zone`. */
  until: v.optional(v.union([digits, v.pipe(v.string(), v.isoDate())])),
  zone: v.optional(v.pipe(v.string(), v.maxLength(64)), 'UTC'),
  count: v.optional(v.pipe(digits, v.minValue(1), v.maxValue(appConfig.archiveCount))),
})

/** Sets the status of issues, one or many; not found where none of them is there. */
export const setIssueStatus = createServerFn({ method: 'POST' })
  .middleware([signedIn])
  .validator(postedForm(issueStatusForm, ['issueIds']))
  .handler(({ data: { until, zone, ...posted }, context }) =>
    changeIssueStatus(context.services, context.viewer, {
      ...posted,
      until: typeof until === 'string' ? parseField(until, zone) : until,
    }),
  )

/** What the form that assigns issues posts: a user's id, `me` or `nobody`. */
export const assignForm = v.object({
  issueIds,
  assignee: v.pipe(v.string(), v.nonEmpty(), v.maxLength(64)),
})

/** Gives issues to somebody who reaches them, or to nobody; not found where none of them is there. */
export const setAssignee = createServerFn({ method: 'POST' })
  .middleware([signedIn])
  .validator(postedForm(assignForm, ['issueIds']))
  .handler(({ data, context }) => assignIssues(context.services, context.viewer, data))

/** What takes an action back. */
export const undoForm = v.object({ issueIds, actionId: v.pipe(v.string(), v.maxLength(64)) })

/** Takes an action of the viewer's own back; not found where none of its issues is there. */
export const undoAction = createServerFn({ method: 'POST' })
  .middleware([signedIn])
  .validator(postedForm(undoForm, ['issueIds']))
  .handler(({ data, context }) => undoIssueAction(context.services, context.viewer, data))

const oneId = v.pipe(v.string(), v.maxLength(40))

/** What the form that merges issues posts: at least two, counting the one that `other` names. */
export const mergeForm = v.object({
  issueIds,
  intoId: v.optional(oneId),
  /** A link, a short id or an id. */
  other: v.optional(v.pipe(v.string(), v.maxLength(500))),
})

/** Merges issues into one of them; not found where none of them is there. */
export const setMerged = createServerFn({ method: 'POST' })
  .middleware([signedIn])
  .validator(postedForm(mergeForm, ['issueIds']))
  .handler(({ data, context }) => mergeIssues(context.services, context.viewer, data))

/** What the form that takes parts out of a merged issue posts. */
export const unmergeForm = v.object({
  issueIds,
  partIds: v.pipe(v.array(oneId), v.minLength(1), v.maxLength(appConfig.issuesPerAction)),
})

/** Takes parts out of a merged issue; not found where it is not there. */
export const setUnmerged = createServerFn({ method: 'POST' })
  .middleware([signedIn])
  .validator(postedForm(unmergeForm, ['issueIds', 'partIds']))
  .handler(({ data, context }) => unmergeIssues(context.services, context.viewer, data))

/** What the form that deletes issues posts. */
export const deleteForm = v.object({ issueIds, discards: v.optional(v.picklist(['yes', 'no']), 'no') })

/** Deletes issues, and for ever with `discards`; not found where none of them is there. */
export const deleteIssue = createServerFn({ method: 'POST' })
  .middleware([signedIn])
  .validator(postedForm(deleteForm, ['issueIds']))
  .handler(({ data: { issueIds: ids, discards }, context }) =>
    deleteIssues(context.services, context.viewer, { issueIds: ids, discards: discards === 'yes' }),
  )

/** What the form of a comment posts. */
export const commentForm = v.object({
  issueId: oneId,
  commentId: v.optional(v.pipe(v.string(), v.maxLength(64))),
  text: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(appConfig.commentCharacters)),
  does: v.optional(v.picklist(['save', 'delete']), 'save'),
})

/** Writes, changes or deletes one of the viewer's own comments; not found where it is not there. */
export const setComment = createServerFn({ method: 'POST' })
  .middleware([signedIn])
  .validator(postedForm(commentForm))
  .handler(({ data, context }) => changeComment(context.services, context.viewer, data))
