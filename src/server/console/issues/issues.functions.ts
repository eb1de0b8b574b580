import * as v from 'valibot'
import { signedInFn } from '#server/auth/session-middleware.functions.ts'
import { issueViewSearch } from '#server/console/events/view.search.ts'
import { orNotFound, sendTo } from '#server/router.ts'
import { issueListSearch } from './issues.search.ts'
import { findIssueView } from './issues.ts'
import { movedPageHref } from './moved-issue.ts'
import { listIssueView } from './stream.ts'

/** Its id or short id, which has at most 59 characters: the slug of a project, and a number. */
const issueId = v.pipe(v.string(), v.maxLength(60))
const eventId = v.pipe(v.string(), v.maxLength(40))

/** The issue stream under the filters of its URL. */
export const fetchIssueList = signedInFn()
  .validator(issueListSearch)
  .handler(({ data, context }) => listIssueView(context.services, context.viewer, data))

/**
 * An issue with an event, by default its latest one. Not found if there is no such issue. `search` is that of
 * the page, for a redirect.
 */
export const fetchIssue = signedInFn()
  .validator(v.object({ issueId, eventId: v.optional(eventId), search: v.optional(issueViewSearch) }))
  .handler(async ({ data: { search, ...query }, context }) => {
    const found = await orNotFound(findIssueView(context.services, context.viewer, query))
    return 'movedTo' in found ? sendTo(movedPageHref(found, '', search)) : found
  })
