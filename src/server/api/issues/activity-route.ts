import * as v from 'valibot'
import { answer, notFoundAnswer, type ApiAnswer } from '#server/api/api-answer.ts'
import type { ApiCall, ApiRoute } from '#server/api/api-route.ts'
import { limits } from '#server/limits.ts'
import type { IssueSummary } from '#server/store/issues/records.ts'
import { listIssueActivity } from '#server/store/triage/choices.ts'
import { toActivityJson } from './activity-json.ts'
import { activityAnswer } from './answer.ts'
import { findRequestedIssue } from './find-issue.ts'

/** The activity of an issue. */
export const activityRoutes: readonly ApiRoute[] = [
  '/organizations/{org}/issues/{issue}/activities/',
  '/issues/{issue}/activities/',
].map((path) => ({
  method: 'GET',
  path,
  scope: 'event:read',
  summary: `What happened to an issue, newest first: the latest ${limits.activityShown} entries, and its first event.`,
  answers: v.strictObject({ activity: v.array(activityAnswer) }),
  handle: readActivity,
}))

async function readActivity(call: ApiCall): Promise<ApiAnswer> {
  const found = await findRequestedIssue(call)
  return found === undefined
    ? notFoundAnswer
    : answer({ activity: await readIssueActivity(call, found.issue) })
}

/** The activity of an issue in Sentry's format. One statement. */
export async function readIssueActivity({ services }: ApiCall, issue: IssueSummary) {
  const key = { projectId: issue.project.id, issueId: Number(issue.id) }
  return toActivityJson(await listIssueActivity(services.store.db, key), issue)
}
