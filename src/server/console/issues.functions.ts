import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { signedIn } from '#server/auth/access.functions.ts'
import { issueStatuses } from '#server/store/views.ts'
import { changeIssueStatus } from './issue-status.ts'
import { issueListSearch } from './issues.search.ts'
import { getIssueView, listIssueView } from './issues.ts'
import { postedForm } from './posted-form.ts'

const issueId = v.pipe(v.string(), v.maxLength(40))

/** The issue stream under the filters of its URL. */
export const fetchIssueList = createServerFn({ method: 'GET' })
  .middleware([signedIn])
  .validator(issueListSearch)
  .handler(({ data, context }) => listIssueView(context.services, context.viewer, data))

/** An issue with its latest event; not found where no such issue is. */
export const fetchIssue = createServerFn({ method: 'GET' })
  .middleware([signedIn])
  .validator(v.object({ issueId }))
  .handler(({ data, context }) => getIssueView(context.services, context.viewer, data.issueId))

/** What the form that sets an issue's status posts. */
export const issueStatusForm = v.object({ issueId, status: v.picklist(issueStatuses) })

/** Sets an issue's status and answers with the one it had; not found where no such issue is. */
export const setIssueStatus = createServerFn({ method: 'POST' })
  .middleware([signedIn])
  .validator(postedForm(issueStatusForm))
  .handler(({ data, context }) => changeIssueStatus(context.services, context.viewer, data))
