import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { issueListSearch } from './issues.search.ts'
import { getIssueView, listIssueView } from './issues.ts'

/** The issue stream under the filters of its URL. */
export const fetchIssueList = createServerFn({ method: 'GET' })
  .validator(issueListSearch)
  .handler(({ data, context }) => listIssueView(context.services, data))

/** An issue with its latest event; not found where no such issue is. */
export const fetchIssue = createServerFn({ method: 'GET' })
  .validator(v.object({ issueId: v.pipe(v.string(), v.maxLength(40)) }))
  .handler(({ data, context }) => getIssueView(context.services, data.issueId))
