import * as v from 'valibot'
import { answer, errorAnswer, notFoundAnswer, type ApiAnswer } from '#server/api/api-answer.ts'
import type { ApiCall, ApiRoute } from '#server/api/api-route.ts'
import { readCallBody } from '#server/api/read-body.ts'
import { projectsWith } from '#server/auth/viewer.ts'
import { limits } from '#server/limits.ts'
import { listIssueLinks, recordIssueLink } from '#server/store/triage/links.ts'
import { parseTrackerIssue } from '#source-links/issue-tracker.ts'
import { linkAnswer } from './answer.ts'
import { cannotChange } from './changes.ts'
import { findRequestedIssue } from './find-issue.ts'

const linkBody = v.object({
  webUrl: v.pipe(
    v.string(),
    v.maxLength(limits.issueLinkCharacters),
    v.check((url) => parseTrackerIssue(url) !== undefined, 'This is not the URL of an issue in a tracker.'),
  ),
})

/** Linked issues of trackers, which Sentry calls external issues. */
export const linkRoutes: readonly ApiRoute[] = [
  '/organizations/{org}/issues/{issue}/',
  '/issues/{issue}/',
].flatMap((base): ApiRoute[] => [
  {
    method: 'GET',
    path: `${base}external-issues/`,
    scope: 'event:read',
    summary: 'The linked issues in trackers, such as GitHub, newest first.',
    answers: v.array(linkAnswer),
    handle: list,
  },
  {
    method: 'POST',
    path: `${base}external-issues/`,
    scope: 'event:write',
    summary: 'Links an issue to an issue of a tracker, by URL.',
    body: linkBody,
    answers: v.array(linkAnswer),
    statuses: [201],
    handle: add,
  },
])

async function list(call: ApiCall): Promise<ApiAnswer> {
  const found = await findRequestedIssue(call)
  return found === undefined ? notFoundAnswer : answer(await readLinks(call, found.issue))
}

async function add(call: ApiCall): Promise<ApiAnswer> {
  const found = await findRequestedIssue(call)
  if (found === undefined) return notFoundAnswer
  const { project, id } = found.issue
  if (!projectsWith(call.viewer, 'triage').includes(project.id)) return cannotChange
  const sent = await readCallBody(call, linkBody)
  if (!sent.ok) return sent.error
  const { store, clock } = call.services
  const url = sent.body.webUrl
  const issue = parseTrackerIssue(url) ?? { url, name: url }
  const target = { issueId: Number(id), projectIds: [project.id] }
  const link = { ...issue, userId: call.viewer.userId, at: clock() }
  const result = await recordIssueLink(store, target, link)
  if (result === 'too-many') return errorAnswer(400, `An issue has at most ${limits.issueLinks} links.`)
  return result === 'done' ? answer(await readLinks(call, found.issue), 201) : notFoundAnswer
}

async function readLinks(
  { services: { store } }: ApiCall,
  { id, project }: { id: string; project: { id: number } },
): Promise<v.InferOutput<typeof linkAnswer>[]> {
  const links = await listIssueLinks(store.db, { projectId: project.id, issueId: Number(id) })
  return links.map(({ url, name, isClosed, createdAt }) => ({
    id: url,
    issueId: id,
    serviceType: serviceOf(new URL(url)),
    displayName: name,
    webUrl: url,
    status: isClosed ? 'closed' : 'open',
    dateCreated: new Date(createdAt).toISOString(),
  }))
}

/** The kind of a tracker, by the form of its URLs. */
function serviceOf({ hostname, pathname }: URL): v.InferOutput<typeof linkAnswer>['serviceType'] {
  if (hostname === 'linear.app') return 'linear'
  if (pathname.includes('/browse/')) return 'jira'
  if (pathname.includes('/-/')) return 'gitlab'
  return hostname.includes('github') ? 'github' : 'other'
}
