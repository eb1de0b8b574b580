import * as v from 'valibot'
import { signedInFn } from '#server/auth/session-middleware.functions.ts'
import { orNotFound } from '#server/router.ts'
import { findIssueProgressView } from './issues.ts'

const id = v.pipe(v.string(), v.maxLength(40))

/** What has changed on an open page about an issue. Not found if it was deleted. */
export const fetchIssueProgress = signedInFn()
  .validator(v.object({ issueId: id, eventId: v.optional(id) }))
  .handler(({ data, context }) => orNotFound(findIssueProgressView(context.services, context.viewer, data)))
