import * as v from 'valibot'
import { exactCount } from '#numbers/number-text.ts'
import { projectsWith, type Viewer } from '#server/auth/viewer.ts'
import { actionForm, defineAction, notThere } from '#server/console/forms/action-form.ts'
import { actions } from '#server/console/forms/actions.search.ts'
import { lastText, rawText, texts } from '#server/forms/fields.ts'
import type { PostedUndo } from '#server/forms/form-views.ts'
import { reject, type FormOutcome } from '#server/forms/form.ts'
import { limits } from '#server/limits.ts'
import { parseIssueId } from '#server/store/issues/id.ts'
import type { IssueStatus } from '#server/store/issues/records.ts'
import { recordAssignee } from '#server/store/triage/assignee.ts'
import type { ActionResult, IssueSelection } from '#server/store/triage/changed-issues.ts'
import type { UnmergeRejection } from '#server/store/triage/merge.ts'
import { recordIssueStatus, type ArchiveUntil, type StatusChange } from '#server/store/triage/status.ts'
import { recordUndo } from '#server/store/triage/undo.ts'
import { parseField } from '#time/time-field.ts'
import { dayMs, hourMs } from '#time/time-steps.ts'
import { appConfig } from '../../../../app.config.ts'

/** The issues of an action. */
export const issueIdsField = v.pipe(
  texts,
  v.nonEmpty('Select an issue.'),
  v.maxLength(appConfig.issuesPerAction, `Select at most ${appConfig.issuesPerAction} issues.`),
)

/** The values of the field `status`. The part after the colon determines when the issue reopens. */
const statusChoices = [
  'unresolved',
  'resolved',
  'resolved:next-release',
  /** With `release`. */
  'resolved:release',
  'archived',
  'archived:hour',
  'archived:day',
  'archived:week',
  'archived:month',
  'archived:escalates',
  /** With `until`. */
  'archived:until',
  /** With `count`. */
  'archived:events',
  /** With `count`. */
  'archived:users',
] as const

const statusFields = v.object({
  issueIds: issueIdsField,
  status: v.pipe(rawText, v.picklist(statusChoices)),
  release: v.pipe(
    lastText,
    v.optional(
      v.pipe(
        v.string(),
        v.trim(),
        v.nonEmpty('Enter a release.'),
        v.maxLength(limits.releaseCharacters, `Enter at most ${limits.releaseCharacters} characters.`),
      ),
    ),
  ),
  /** Unix milliseconds, or a date, which begins at midnight in `zone`. */
  until: v.pipe(
    lastText,
    v.optional(
      v.union([v.pipe(v.string(), v.regex(/^\d{1,15}$/)), v.pipe(v.string(), v.isoDate())], 'Choose a day.'),
    ),
  ),
  zone: v.pipe(
    rawText,
    v.maxLength(64),
    v.transform((zone) => (zone === '' ? 'UTC' : zone)),
  ),
  count: v.pipe(
    lastText,
    v.optional(
      v.pipe(
        v.string(),
        v.regex(/^\d{1,15}$/, 'Enter a number.'),
        v.transform(Number),
        v.minValue(1, 'Enter at least 1.'),
        v.maxValue(appConfig.archiveCount, `Enter at most ${exactCount(appConfig.archiveCount)}.`),
      ),
    ),
  ),
})

type StatusFields = v.InferOutput<typeof statusFields>

const statusTexts: Record<IssueStatus, string> = {
  unresolved: 'Reopened',
  resolved: 'Resolved',
  archived: 'Archived',
}

/** Sets the status of issues. */
export const issueStatusForms = defineAction(actions.issueStatus, {
  set: actionForm(statusFields, async ({ services: { store, clock }, viewer, fields }) => {
    const at = clock()
    const change = fromStatusFields(fields, at)
    const selection = toSelection(viewer, fields.issueIds)
    const result = await recordIssueStatus(store, selection, { userId: viewer.userId, at, change })
    return concludeAction({ verb: statusTexts[change.status], posted: fields.issueIds, result })
  }),
})

const spans: Record<string, number> = {
  'archived:hour': hourMs,
  'archived:day': dayMs,
  'archived:week': 7 * dayMs,
  'archived:month': 30 * dayMs,
}

/** The change for a choice. A choice without its field is the plain status. */
function fromStatusFields({ status, release, until, zone, count }: StatusFields, now: number): StatusChange {
  if (status === 'unresolved') return { status }
  if (status === 'resolved:next-release') return { status: 'resolved', fixedIn: 'next_release' }
  if (status === 'resolved:release' && release !== undefined)
    return { status: 'resolved', fixedIn: { release } }
  if (status.startsWith('resolved')) return { status: 'resolved' }
  const latest = now + limits.archiveDays * dayMs
  const untilAt = until === undefined ? undefined : toInstant(until, zone)
  const limitsByChoice: Record<string, ArchiveUntil> = {
    'archived:escalates': { escalates: true },
    ...(untilAt !== undefined && { 'archived:until': { at: Math.min(untilAt, latest) } }),
    ...(count !== undefined && {
      'archived:events': { moreEvents: count },
      'archived:users': { moreUsers: count },
    }),
  }
  const spanMs = spans[status]
  const archiveUntil = spanMs === undefined ? limitsByChoice[status] : { at: now + spanMs }
  return { status: 'archived', until: archiveUntil }
}

function toInstant(text: string, zone: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : parseField(text, zone)
}

const assigneeFields = v.object({
  issueIds: issueIdsField,
  /** A user's id, `me` or `nobody`. */
  assignee: v.pipe(rawText, v.nonEmpty(), v.maxLength(64)),
})

/** Assigns issues to a user with access to their projects, or unassigns them. */
export const issueAssigneeForms = defineAction(actions.issueAssignee, {
  assign: actionForm(assigneeFields, async ({ services: { store, clock }, viewer, fields }) => {
    const { issueIds, assignee } = fields
    const named = assignee === 'me' ? viewer.userId : assignee
    const result = await recordAssignee(store, toSelection(viewer, issueIds), {
      userId: viewer.userId,
      at: clock(),
      assigneeId: assignee === 'nobody' ? null : named,
    })
    if ('rejected' in result)
      return reject('That user does not have access to the projects of all these issues.')
    return concludeAction({
      verb: assignee === 'nobody' ? 'Unassigned' : 'Assigned',
      posted: issueIds,
      result,
    })
  }),
})

const undoFields = v.object({ issueIds: issueIdsField, actionId: v.pipe(rawText, v.maxLength(64)) })

/** The message if parts cannot be unmerged, or their merge cannot be undone. */
export const unmergeRejections: Record<UnmergeRejection, string> = {
  'no-such-part': 'The issues are no longer merged.',
  'nothing-left': 'No event would be left in this issue.',
}

/** Undoes an action of the viewer. */
export const issueUndoForms = defineAction(actions.issueUndo, {
  undo: actionForm(undoFields, async ({ services: { store, clock }, viewer, fields }) => {
    const { issueIds, actionId } = fields
    const actor = { userId: viewer.userId, at: clock() }
    const result = await recordUndo(store, toSelection(viewer, issueIds), { ...actor, actionId })
    if ('rejected' in result) return reject(unmergeRejections[result.rejected])
    return concludeAction({ verb: 'Undone', posted: issueIds, result, isFinal: true })
  }),
})

/** The issues of a form that the viewer can change. */
export function toSelection(viewer: Viewer, issueIds: readonly string[]): IssueSelection {
  const ids = new Set(issueIds.map(parseIssueId).filter((id) => id !== undefined))
  return { issueIds: [...ids], projectIds: projectsWith(viewer, 'triage') }
}

/** The result of an action. */
interface ConcludedAction {
  /** `Resolved` */
  verb: string
  /** The issues of the form. */
  posted: readonly (string | number)[]
  result: ActionResult
  /** The issue that shows the action, if it is another one. */
  shownBy?: number
  /** True if it cannot be undone. */
  isFinal?: boolean
}

/** The outcome of an action: rejected if none of the issues exists. */
export function concludeAction({ verb, posted, result, shownBy, isFinal }: ConcludedAction): FormOutcome {
  const { actionId, issueIds, formerStatuses } = result
  if (issueIds.length === 0) return notThere
  const text = describeDone(verb, issueIds.length, new Set(posted).size - issueIds.length)
  if (isFinal === true) return { kind: 'done', text }
  const shownIds = shownBy === undefined ? issueIds : [shownBy]
  const fields: PostedUndo['fields'] = shownIds.map((id) => ['issueIds', String(id)])
  fields.push(['actionId', actionId])
  return { kind: 'done', text, undo: { url: actions.issueUndo.url, fields, before: formerStatuses } }
}

/** `Resolved.` for one issue, `Resolved: 3 issues.` for several, with the number of missing ones. */
function describeDone(verb: string, count: number, missingCount: number): string {
  const done = count === 1 ? `${verb}.` : `${verb}: ${count} issues.`
  if (missingCount === 0) return done
  return `${done} ${missingCount} more ${missingCount === 1 ? 'no longer exists' : 'no longer exist'}.`
}
