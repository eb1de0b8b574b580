import * as v from 'valibot'
import { signedInFn } from '#server/auth/session-middleware.functions.ts'
import { orNotFound, sendTo } from '#server/router.ts'
import { issueEventsSearch, issueTagsSearch } from './issue-events.search.ts'
import { findIssueTagsView, listIssueEventsView } from './issue-events.ts'
import { movedPageHref } from './moved-issue.ts'

/** Its id or short id, which has at most 59 characters: the slug of a project, and a number. */
const issueId = v.pipe(v.string(), v.maxLength(60))

/** A page of an issue's events. Not found if there is no such issue. */
export const fetchIssueEvents = signedInFn()
  .validator(v.object({ ...issueEventsSearch.entries, issueId }))
  .handler(async ({ data: { issueId: id, ...search }, context: { services, viewer } }) => {
    const found = await orNotFound(listIssueEventsView(services, viewer, { issueId: id, ...search }))
    return 'movedTo' in found ? sendTo(movedPageHref(found, '/events', search)) : found
  })

/** The tags of an issue. Not found if there is no such issue. */
export const fetchIssueTags = signedInFn()
  .validator(v.object({ ...issueTagsSearch.entries, issueId }))
  .handler(async ({ data: { issueId: id, ...search }, context: { services, viewer } }) => {
    const found = await orNotFound(findIssueTagsView(services, viewer, { issueId: id, ...search }))
    return 'movedTo' in found ? sendTo(movedPageHref(found, '/tags', search)) : found
  })
