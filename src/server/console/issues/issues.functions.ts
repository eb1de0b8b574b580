import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { signedIn } from '#server/auth/access.functions.ts'
import { issueListSearch } from './issues.search.ts'
import { getIssueView } from './issues.ts'
import { listIssueView } from './stream.ts'

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
