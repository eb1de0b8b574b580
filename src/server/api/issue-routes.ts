import * as v from 'valibot'
import { projectsWith } from '#server/auth/viewer.ts'
import { parseIssueId } from '#server/console/issues.ts'
import { limits } from '#server/limits.ts'
import { readIssueExtras } from '#server/store/issue-extras.ts'
import type { IssueWithHours } from '#server/store/issues.ts'
import { findTagDistribution, listTagDistributions } from '#server/store/tags.ts'
import { answer, notFoundAnswer, refusal, type ApiAnswer } from './api-answer.ts'
import type { ApiCall, ApiRoute } from './api-route.ts'
import { findCalledIssue, findCalledIssueById } from './find-called-issue.ts'
import { issueAnswer, issuesChangedAnswer, shortIdAnswer, tagAnswer } from './issue-answer.ts'
import {
  changeIssues,
  issueChangeBody,
  issuesChangeBody,
  mayNotChange,
  mergeCalled,
  selectCalled,
} from './issue-changes.ts'
import { toIssueJson, toTagJson } from './issue-json.ts'
import { answerIssueList, issueListParameters } from './issue-list.ts'
import { findPlaces } from './places.ts'
import { readCallBody } from './read-body.ts'

/** Issues: lists of an organization and of a project, and one by id or short id. */
export const issueRoutes: readonly ApiRoute[] = [
  ...['/organizations/{org}/issues/', '/projects/{org}/{project}/issues/'].flatMap((path): ApiRoute[] => [
    {
      method: 'GET',
      path,
      scope: 'event:read',
      summary: 'The issues that a query finds.',
      query: issueListParameters,
      answers: v.array(issueAnswer),
      isPaged: true,
      handle: answerIssueList,
    },
    {
      method: 'PUT',
      path,
      scope: 'event:write',
      summary: 'Changes several issues at once, those named by `id`: status, assignee, or `merge` into one.',
      query: { id: `An issue’s id, repeated, up to ${limits.apiIssuesPerCall}.` },
      body: issuesChangeBody,
      answers: issuesChangedAnswer,
      handle: changeMany,
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
      summary: 'Changes an issue: its status, and who looks after it.',
      body: issueChangeBody,
      answers: issueAnswer,
      handle: changeOne,
    },
    {
      method: 'GET',
      path: `${path}tags/`,
      scope: 'event:read',
      summary: 'How the events of an issue spread over the values of each tag.',
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
  ]),
  {
    method: 'GET',
    path: '/organizations/{org}/shortids/{issue}/',
    scope: 'event:read',
    summary: 'The issue that a short id names: `SHOP-1A`.',
    answers: shortIdAnswer,
    handle: readShortId,
  },
]

async function read(call: ApiCall): Promise<ApiAnswer> {
  const found = await findCalledIssue(call)
  return found === undefined ? notFoundAnswer : answer(await toWholeJson(call, found))
}

async function toWholeJson({ services }: ApiCall, { issue, hours24 }: IssueWithHours) {
  const { store, clock, publicOrigin: origin } = services
  const extras = (await readIssueExtras(store.db, [issue])).get(issue.id)
  return toIssueJson(issue, { origin, now: clock(), extras, stats: { span: '24h', counts: hours24 } })
}

async function readShortId(call: ApiCall): Promise<ApiAnswer> {
  const found = await findCalledIssue(call)
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
  const found = await findCalledIssue(call)
  if (found === undefined) return notFoundAnswer
  const { id, project } = found.issue
  const key = { projectId: project.id, issueId: Number(id) }
  return answer((await listTagDistributions(call.services.store.db, key)).map(toTagJson))
}

async function readTag(call: ApiCall): Promise<ApiAnswer> {
  const found = await findCalledIssue(call)
  if (found === undefined) return notFoundAnswer
  const { id, project } = found.issue
  const place = { projectId: project.id, issueId: Number(id), key: call.params['key'] ?? '' }
  const tag = await findTagDistribution(call.services.store.db, place)
  return tag === undefined ? notFoundAnswer : answer(toTagJson(tag))
}

async function changeOne(call: ApiCall): Promise<ApiAnswer> {
  const sent = await readCallBody(call, issueChangeBody)
  if (!sent.ok) return sent.refusal
  const found = await findCalledIssue(call)
  if (found === undefined) return notFoundAnswer
  const { issue } = found
  if (!projectsWith(call.viewer, 'triage').includes(issue.project.id)) return mayNotChange
  const selection = { issueIds: [Number(issue.id)], projectIds: [issue.project.id] }
  return (await changeIssues(call, selection, sent.body)) ?? read(call)
}

async function changeMany(call: ApiCall): Promise<ApiAnswer> {
  const sent = await readCallBody(call, issuesChangeBody)
  if (!sent.ok) return sent.refusal
  const places = await findPlaces(call)
  if (places === undefined) return notFoundAnswer
  const names = call.url.searchParams.getAll('id')
  const issueIds = [...new Set(names.flatMap((name) => parseIssueId(name) ?? []))]
  if (issueIds.length === 0 || issueIds.length > limits.apiIssuesPerCall) {
    return refusal(400, `Name up to ${limits.apiIssuesPerCall} issues, each as id=…`)
  }
  const selected = selectCalled(call, { issueIds, within: places.projectIds })
  if (!selected.ok) return selected.refusal
  const found = await findAll(call, selected.selection)
  if (found.length === 0) return refusal(404, 'No groups found')
  const { status, statusDetails, assignedTo, merge } = sent.body
  const refused = await changeIssues(call, selected.selection, sent.body)
  if (refused !== undefined) return refused
  const [after] = await findAll(call, { ...selected.selection, issueIds: [Number(found[0]?.issue.id)] })
  const shown = after && (await toWholeJson(call, after))
  const changed = {
    ...(status && { status: shown?.status ?? status }),
    ...(statusDetails && shown && { statusDetails: shown.statusDetails }),
    ...(assignedTo !== undefined && { assignedTo: shown?.assignedTo ?? null }),
  }
  if (!merge) return answer(changed)
  const merged = await mergeCalled(call, selected.selection)
  if (!merged.ok) return merged.refusal
  const parent = String(merged.intoId)
  const children = found.map(({ issue }) => issue.id).filter((id) => id !== parent)
  return answer({ ...changed, merge: { parent, children } })
}

async function findAll(
  call: ApiCall,
  { issueIds, projectIds }: { issueIds: readonly number[]; projectIds: readonly number[] },
): Promise<IssueWithHours[]> {
  const found = await Promise.all(
    issueIds.map((issueId) => findCalledIssueById(call, { issueId, projectIds })),
  )
  return found.flatMap((each) => each ?? [])
}
