import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { signedIn } from '#server/auth/access.functions.ts'
import { appConfig } from '../../../app.config.ts'
import { assignIssues, changeIssueStatus, undoIssueAction } from './issue-actions.ts'
import { postedForm } from './posted-form.ts'

const issueIds = v.pipe(
  v.array(v.pipe(v.string(), v.maxLength(40))),
  v.minLength(1),
  v.maxLength(appConfig.issuesPerAction),
)

/** What an issue can be set to; those with a colon say what brings it back, and some of them take it from a field of its own. */
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
/** Unix milliseconds; or a day, which begins at midnight UTC. */
const instant = v.union([
  digits,
  v.pipe(
    v.string(),
    v.isoDate(),
    v.transform((day) => Date.parse(day)),
  ),
])

/** What the form that sets the status of issues posts. */
export const issueStatusForm = v.object({
  issueIds,
  status: v.picklist(statusChoices),
  release: v.optional(v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(250))),
  until: v.optional(instant),
  count: v.optional(v.pipe(digits, v.minValue(1), v.maxValue(appConfig.archiveCount))),
})

/** Sets the status of issues, one or many; not found where none of them is there. */
export const setIssueStatus = createServerFn({ method: 'POST' })
  .middleware([signedIn])
  .validator(postedForm(issueStatusForm, ['issueIds']))
  .handler(({ data, context }) => changeIssueStatus(context.services, context.viewer, data))

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
