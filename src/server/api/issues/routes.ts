import * as v from 'valibot'
import { answer, answerPage, notFoundAnswer, type ApiAnswer } from '#server/api/api-answer.ts'
import type { ApiCall, ApiRoute } from '#server/api/api-route.ts'
import { readCallBody } from '#server/api/read-body.ts'
import { projectsWith } from '#server/auth/viewer.ts'
import { limits } from '#server/limits.ts'
import type { IssueWithHours } from '#server/store/issues/issues.ts'
import { findTagDistribution, listTagDistributions } from '#server/store/issues/tags.ts'
import { readIssueActivity } from './activity-route.ts'
import {
  issueAnswer,
  issueChangedAnswer,
  issueCountsAnswer,
  issuesChangedAnswer,
  shortIdAnswer,
  tagAnswer,
  tagValueAnswer,
} from './answer.ts'
import { changeManyIssues } from './bulk.ts'
import { changeIssues, issueChangeBody, issuesChangeBody, cannotChange } from './changes.ts'
import { readShownExtras } from './extras.ts'
import { findRequestedIssue } from './find-issue.ts'
import { toIssueJson, toTagJson } from './json.ts'
import { answerIssueCounts, answerIssueList, issueListParameters, issueQueryParameters } from './list.ts'

/** Issues of an organization or a project, and issues by id or short id. */
export const issueRoutes: readonly ApiRoute[] = [
  ...['/organizations/{org}/issues/', '/projects/{org}/{project}/issues/'].flatMap((path): ApiRoute[] => [
    {
      method: 'GET',
      path,
      scope: 'event:read',
      summary: 'The issues that match a query.',
      query: issueListParameters,
      answers: v.array(issueAnswer),
      isPaged: true,
      handle: answerIssueList,
    },
    {
      method: 'PUT',
      path,
      scope: 'event:write',
      summary:
        'Changes several issues, given by `id` or found by `query`: status, assignee, or `merge` into one.',
      query: {
        ...issueQueryParameters,
        id: `An issue’s id, repeated, up to ${limits.apiIssuesPerCall}.`,
        query: `A search; in a project without it and without \`status\`: all issues. Up to ${limits.issuesPerBulkChange}.`,
      },
      body: issuesChangeBody,
      answers: issuesChangedAnswer,
      statuses: [200, 204],
      handle: changeManyIssues,
    },
  ]),
  ...['/organizations/{org}/issues/{issue}/', '/issues/{issue}/'].flatMap((path): ApiRoute[] => [
    {
      method: 'GET',
      path,
      scope: 'event:read',
      summary: 'One issue, by its id or its short id.',
      answers: issueAnswer,
      handle: read,
    },
    {
      method: 'PUT',
      path,
      scope: 'event:write',
      summary:
        'Changes the status or the assignee of an issue. Without `event:read` the response has only its id and status.',
      body: issueChangeBody,
      answers: v.union([issueAnswer, issueChangedAnswer]),
      handle: changeOne,
    },
    {
      method: 'GET',
      path: `${path}tags/`,
      scope: 'event:read',
      summary: 'The distribution of an issue’s events over the values of each tag.',
      answers: v.array(tagAnswer),
      handle: listTags,
    },
    {
      method: 'GET',
      path: `${path}tags/{key}/`,
      scope: 'event:read',
      summary: 'The values of one tag of an issue.',
      answers: tagAnswer,
      handle: readTag,
    },
    {
      method: 'GET',
      path: `${path}tags/{key}/values/`,
      scope: 'event:read',
      summary: 'The values of one tag of an issue as a list, most frequent first.',
      answers: v.array(tagValueAnswer),
      isPaged: true,
      handle: listTagValues,
    },
  ]),
  {
    method: 'GET',
    path: '/organizations/{org}/issues-count/',
    scope: 'event:read',
    summary: `The number of issues that match each \`query\`, up to ${limits.countedIssues} per status.`,
    query: {
      ...issueQueryParameters,
      query: 'A search, repeated.',
      statsPeriod: 'Only issues seen in the last `24h`, `14d` …',
    },
    answers: issueCountsAnswer,
    handle: answerIssueCounts,
  },
  {
    method: 'GET',
    path: '/organizations/{org}/shortids/{issue}/',
    scope: 'event:read',
    summary: 'The issue with a short id: `SHOP-1A`.',
    answers: shortIdAnswer,
    handle: readShortId,
  },
]

async function read(call: ApiCall): Promise<ApiAnswer> {
  const found = await findRequestedIssue(call)
  if (found === undefined) return notFoundAnswer
  const [issue, activity] = await Promise.all([
    toWholeJson(call, found),
    readIssueActivity(call, found.issue),
  ])
  return answer({ ...issue, activity })
}

async function toWholeJson({ services }: ApiCall, { issue, hours24 }: IssueWithHours) {
  const { store, clock, publicOrigin: origin } = services
  const extras = (await readShownExtras(store.db, [issue])).get(issue.id)
  return toIssueJson(issue, { origin, now: clock(), extras, stats: { span: '24h', counts: hours24 } })
}

async function readShortId(call: ApiCall): Promise<ApiAnswer> {
  const found = await findRequestedIssue(call)
  const membership = call.viewer.memberships.find(({ projectIds }) =>
    found === undefined ? false : projectIds.includes(found.issue.project.id),
  )
  if (found === undefined || membership === undefined) return notFoundAnswer
  const { id, shortId, project } = found.issue
  const { organizationSlug } = membership
  const group = await toWholeJson(call, found)
  return answer({ organizationSlug, projectSlug: project.slug, groupId: id, shortId, group })
}

async function listTags(call: ApiCall): Promise<ApiAnswer> {
  const found = await findRequestedIssue(call)
  if (found === undefined) return notFoundAnswer
  const { id, project } = found.issue
  const key = { projectId: project.id, issueId: Number(id) }
  return answer((await listTagDistributions(call.services.store.db, key)).map(toTagJson))
}

async function findRequestedTag(call: ApiCall) {
  const found = await findRequestedIssue(call)
  if (found === undefined) return undefined
  const { id, project } = found.issue
  const selected = { projectId: project.id, issueId: Number(id), key: call.params['key'] ?? '' }
  return findTagDistribution(call.services.store.db, selected)
}

async function readTag(call: ApiCall): Promise<ApiAnswer> {
  const tag = await findRequestedTag(call)
  return tag === undefined ? notFoundAnswer : answer(toTagJson(tag))
}

async function listTagValues(call: ApiCall): Promise<ApiAnswer> {
  const tag = await findRequestedTag(call)
  return tag === undefined ? notFoundAnswer : answerPage(call.url, { rows: toTagJson(tag).topValues })
}

async function changeOne(call: ApiCall): Promise<ApiAnswer> {
  const sent = await readCallBody(call, issueChangeBody)
  if (!sent.ok) return sent.error
  const found = await findRequestedIssue(call)
  if (found === undefined) return notFoundAnswer
  const { issue } = found
  if (!projectsWith(call.viewer, 'triage').includes(issue.project.id)) return cannotChange
  const selection = { issueIds: [Number(issue.id)], projectIds: [issue.project.id] }
  const rejected = await changeIssues(call, selection, sent.body)
  if (rejected !== undefined) return rejected
  return call.scopes.includes('event:read') ? read(call) : answerChange(call)
}

/** The response for a token that may change issues but not read them: only data of the request. */
async function answerChange(call: ApiCall): Promise<ApiAnswer> {
  const found = await findRequestedIssue(call)
  if (found === undefined) return notFoundAnswer
  const { id, status } = await toWholeJson(call, found)
  return answer({ id, status })
}
