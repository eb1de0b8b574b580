import * as v from 'valibot'
import { signedInFn } from '#server/auth/session-middleware.functions.ts'
import { orNotFound } from '#server/router.ts'
import { issueEventsSearch, issueTagsSearch } from './issue-events.search.ts'
import { findIssueTagsView, listIssueEventsView } from './issue-events.ts'

const issueId = v.pipe(v.string(), v.maxLength(40))

/** A page of an issue's events. Not found if there is no such issue. */
export const fetchIssueEvents = signedInFn()
  .validator(v.object({ ...issueEventsSearch.entries, issueId }))
  .handler(({ data, context }) => orNotFound(listIssueEventsView(context.services, context.viewer, data)))

/** The tags of an issue. Not found if there is no such issue. */
export const fetchIssueTags = signedInFn()
  .validator(v.object({ ...issueTagsSearch.entries, issueId }))
  .handler(({ data, context }) => orNotFound(findIssueTagsView(context.services, context.viewer, data)))
