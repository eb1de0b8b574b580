import * as v from 'valibot'
import { findSearchedStatuses, parseSearch } from '#search/parse-search.ts'
import { projectsWith } from '#server/auth/viewer.ts'
import { parseIssueId } from '#server/console/issues.ts'
import { limits } from '#server/limits.ts'
import { recordAssignee } from '#server/store/issue-assignee.ts'
import { listIssues } from '#server/store/issue-list.ts'
import { readIssueStart } from '#server/store/issue-start.ts'
import { recordIssueStatus, type StatusChange } from '#server/store/issue-status.ts'
import { issueStatuses, type IssueSort } from '#server/store/issue-views.ts'
import { answer, answerPage, notFoundAnswer, refusal, type ApiAnswer } from './api-answer.ts'
import type { ApiCall, ApiRoute } from './api-route.ts'
import { findCalledIssue } from './find-called-issue.ts'
import { toIssueJson } from './issue-json.ts'
import { findPlaces, readPageSize } from './places.ts'
import { readCallBody } from './read-body.ts'

/** What changes issues. `ignored` is Sentry's word for archived. */
const issueChangeBody = v.object({
  status: v.nullish(v.picklist(['unresolved', 'resolved', 'resolvedInNextRelease', 'ignored'])),
  statusDetails: v.nullish(
    v.object({
      inNextRelease: v.nullish(v.boolean()),
      inRelease: v.nullish(v.pipe(v.string(), v.maxLength(limits.releaseCharacters))),
      ignoreDuration: v.nullish(v.pipe(v.number(), v.minValue(1))),
      ignoreCount: v.nullish(v.pipe(v.number(), v.minValue(1))),
      ignoreUserCount: v.nullish(v.pipe(v.number(), v.minValue(1))),
    }),
  ),
  assignedTo: v.nullish(v.pipe(v.string(), v.maxLength(limits.nameCharacters))),
})

type IssueChange = v.InferOutput<typeof issueChangeBody>

const listQuery = {
  query:
    '`is:unresolved environment:production release:web@1.4 browser.name:Firefox`; left out: `is:unresolved`.',
  sort: '`date` (last seen), `new`, `freq` or `user`.',
  project: 'A project’s id, repeated.',
  environment: 'An environment’s name.',
  cursor: 'From the Link header.',
  limit: 'Up to 100.',
}

/** Issues: lists of an organization and of a project, and one by id. */
export const issueRoutes: readonly ApiRoute[] = [
  ...['/organizations/{org}/issues/', '/projects/{org}/{project}/issues/'].flatMap((path): ApiRoute[] => [
    {
      method: 'GET',
      path,
      scope: 'event:read',
      summary: 'The issues that a query finds.',
      query: listQuery,
      handle: listHere,
    },
    {
      method: 'PUT',
      path,
      scope: 'event:write',
      summary: 'Changes several issues at once: those named by `id`.',
      query: { id: 'An issue’s id, repeated, up to 100.' },
      body: issueChangeBody,
      handle: changeMany,
    },
  ]),
  ...['/organizations/{org}/issues/{issue}/', '/issues/{issue}/'].flatMap((path): ApiRoute[] => [
    { method: 'GET', path, scope: 'event:read', summary: 'One issue.', handle: read },
    {
      method: 'PUT',
      path,
      scope: 'event:write',
      summary: 'Changes an issue: its status, and who looks after it.',
      body: issueChangeBody,
      handle: changeOne,
    },
  ]),
]

const sorts: Record<string, IssueSort> = {
  date: 'last_seen',
  new: 'first_seen',
  freq: 'events',
  user: 'users',
}

async function listHere(call: ApiCall): Promise<ApiAnswer> {
  const places = await findPlaces(call)
  if (places === undefined) return notFoundAnswer
  const { store, clock, publicOrigin: origin } = call.services
  const parameters = call.url.searchParams
  const { terms, problems } = parseSearch(parameters.get('query') ?? 'is:unresolved')
  const [problem] = problems
  if (problem !== undefined) return refusal(400, problem.message)
  const now = clock()
  const start = await readIssueStart(store.db, terms)
  const environment = parameters.get('environment')
  const cursor = parameters.get('cursor')
  const page = await listIssues(store.db, {
    projectIds: places.projectIds,
    statuses: findSearchedStatuses(terms) ?? issueStatuses,
    terms,
    userId: call.viewer.userId,
    bars: '24h',
    sort: sorts[parameters.get('sort') ?? ''] ?? 'last_seen',
    limit: readPageSize(call.url),
    now,
    ...(start && { start }),
    ...(environment && { environment }),
    ...(cursor && { cursor }),
  })
  const rows = page.issues.map((issue) => toIssueJson(issue, { origin, hours24: issue.bars, now }))
  return answerPage(call.url, { ...page, rows })
}

async function read(call: ApiCall): Promise<ApiAnswer> {
  const found = await findCalledIssue(call)
  if (found === undefined) return notFoundAnswer
  const { clock, publicOrigin: origin } = call.services
  return answer(toIssueJson(found.issue, { origin, hours24: found.hours24, now: clock() }))
}

async function changeOne(call: ApiCall): Promise<ApiAnswer> {
  const sent = await readCallBody(call, issueChangeBody)
  if (!sent.ok) return sent.refusal
  const found = await findCalledIssue(call)
  if (found === undefined) return notFoundAnswer
  const { issue } = found
  if (!projectsWith(call.viewer, 'triage').includes(issue.project.id)) return mayNotChange
  const refused = await changeIssues(call, { issueIds: [Number(issue.id)], change: sent.body })
  return refused ?? read(call)
}

async function changeMany(call: ApiCall): Promise<ApiAnswer> {
  const sent = await readCallBody(call, issueChangeBody)
  if (!sent.ok) return sent.refusal
  const places = await findPlaces(call)
  if (places === undefined) return notFoundAnswer
  const names = call.url.searchParams.getAll('id')
  const issueIds = names.flatMap((name) => parseIssueId(name) ?? [])
  if (issueIds.length === 0 || issueIds.length > limits.apiIssuesPerCall) {
    return refusal(400, `Name up to ${limits.apiIssuesPerCall} issues, each as id=…`)
  }
  const refused = await changeIssues(call, { issueIds, change: sent.body, within: places.projectIds })
  const { status, assignedTo } = sent.body
  return refused ?? answer({ ...(status && { status }), ...(assignedTo != null && { assignedTo }) })
}

interface IssuesToChange {
  issueIds: number[]
  change: IssueChange
  /** Left out: all that the viewer may change. */
  within?: readonly number[]
}

/** Makes the change, or says why not. */
async function changeIssues(
  { services: { store, clock }, viewer }: ApiCall,
  { issueIds, change, within }: IssuesToChange,
): Promise<ApiAnswer | undefined> {
  const allowed = projectsWith(viewer, 'triage')
  const projectIds = within === undefined ? allowed : allowed.filter((id) => within.includes(id))
  if (projectIds.length === 0) return mayNotChange
  const selection = { issueIds, projectIds }
  const actor = { userId: viewer.userId, at: clock() }
  if (change.assignedTo !== undefined) {
    const assigneeId = parseAssignee(change.assignedTo)
    const result = await recordAssignee(store, selection, { ...actor, assigneeId })
    if ('refused' in result) return refusal(400, 'There is no such user who reaches the issue’s project.')
  }
  const status = toStatusChange(change, actor.at)
  if (status !== undefined) await recordIssueStatus(store, selection, { ...actor, change: status })
  return undefined
}

const mayNotChange = refusal(
  403,
  'You do not have permission to perform this action: viewers change no issues.',
)

/** `user:ID` or the id itself; nothing takes the issue from whoever has it. */
function parseAssignee(text: string | null): string | null {
  const id = (text ?? '').replace(/^user:/, '')
  return id === '' ? null : id
}

const minuteMs = 60_000

function toStatusChange({ status, statusDetails }: IssueChange, now: number): StatusChange | undefined {
  const { inNextRelease, inRelease, ignoreDuration, ignoreCount, ignoreUserCount } = statusDetails ?? {}
  switch (status) {
    case 'unresolved':
      return { status }
    case 'resolvedInNextRelease':
      return { status: 'resolved', fixedIn: 'next_release' }
    case 'resolved':
      if (inRelease) return { status, fixedIn: { release: inRelease } }
      return inNextRelease === true ? { status, fixedIn: 'next_release' } : { status }
    case 'ignored': {
      const until = {
        ...(ignoreDuration && { at: now + ignoreDuration * minuteMs }),
        ...(ignoreCount && { moreEvents: ignoreCount }),
        ...(ignoreUserCount && { moreUsers: ignoreUserCount }),
      }
      return { status: 'archived', ...(Object.keys(until).length > 0 && { until }) }
    }
    case null:
    case undefined:
  }
  return undefined
}
