import { answer, notFoundAnswer, errorAnswer, type ApiAnswer } from '#server/api/api-answer.ts'
import type { ApiCall } from '#server/api/api-route.ts'
import { findProjectScope, type ProjectScope } from '#server/api/project-scope.ts'
import { readCallBody } from '#server/api/read-body.ts'
import type { ReadParameters } from '#server/api/read-cursor.ts'
import { projectsWith } from '#server/auth/viewer.ts'
import { limits } from '#server/limits.ts'
import { readIssueExtras } from '#server/store/issues/api-fields.ts'
import { parseIssueId } from '#server/store/issues/id.ts'
import type { IssueWithHours } from '#server/store/issues/issues.ts'
import { listIssueIds } from '#server/store/issues/search/issue-ids.ts'
import type { IssueSelection } from '#server/store/triage/changed-issues.ts'
import { changeIssues, issuesChangeBody, cannotChange, mergeSelection } from './changes.ts'
import { findRequestedIssueById } from './find-issue.ts'
import { toIssueJson } from './json.ts'
import { readIssueQuery } from './query.ts'

/**
 * Changes the issues selected by `id`, otherwise by `query` or `status`. Without any of them, changes all
 * issues of the project, as `sentry-cli issues resolve --all` requires. 204 if no issue matches.
 */
export async function changeManyIssues(call: ApiCall): Promise<ApiAnswer> {
  const sent = await readCallBody(call, issuesChangeBody)
  if (!sent.ok) return sent.error
  const projectScope = await findProjectScope(call)
  if (projectScope === undefined) return notFoundAnswer
  if (projectScope.projectIds.length === 0) return notFoundAnswer
  const allowed = projectsWith(call.viewer, 'triage')
  const projectIds = projectScope.projectIds.filter((id) => allowed.includes(id))
  if (projectIds.length === 0) return cannotChange
  const named = call.url.searchParams.getAll('id')
  if (named.length === 0) {
    if (sent.body.merge) return errorAnswer(400, 'Name the issues to merge, each as id=…')
    const found = await findByQuery(call, { ...projectScope, projectIds })
    if (!found.ok) return found.error
    return changeInSteps(call, { issueIds: found.value, projectIds }, sent.body)
  }
  const issueIds = [...new Set(named.flatMap((name) => parseIssueId(name) ?? []))]
  if (issueIds.length === 0 || issueIds.length > limits.apiIssuesPerCall)
    return errorAnswer(400, `Name up to ${limits.apiIssuesPerCall} issues, each as id=…`)
  return changeNamed(call, { issueIds, projectIds }, sent.body)
}

async function findByQuery(
  call: ApiCall,
  { projects, projectIds }: ProjectScope,
): Promise<ReadParameters<number[]>> {
  const { searchParams: parameters } = call.url
  const isNarrowed = parameters.has('query') || parameters.has('status')
  if (!isNarrowed && call.params['project'] === undefined) {
    const detail = `Name up to ${limits.apiIssuesPerCall} issues, each as id=…, or find them with query=…`
    return { ok: false, error: errorAnswer(400, detail) }
  }
  const within = projects.filter(({ id }) => projectIds.includes(id))
  const query = readIssueQuery(call, { query: '', projects: within, hasPeriod: true })
  if (!query.ok) return query
  const { filter, statuses } = query.value
  const found = await listIssueIds(call.services.store.db, { ...filter, statuses })
  return found.ok
    ? { ok: true, value: found.issueIds }
    : { ok: false, error: errorAnswer(400, tooBroad[found.reason]) }
}

const tooBroad = {
  'too-many': `The query finds more than ${limits.issuesPerBulkChange.toLocaleString('en')} issues: narrow it. Nothing was changed.`,
  'too-long': 'The query takes too long. Narrow it down. No issues were changed.',
}

type Change = Parameters<typeof changeIssues>[2]

/** Each step is a transaction, so that ingest can commit in between. */
async function changeInSteps(
  call: ApiCall,
  { issueIds, projectIds }: IssueSelection,
  change: Change,
): Promise<ApiAnswer> {
  if (issueIds.length === 0) return { status: 204 }
  for (let at = 0; at < issueIds.length; at += limits.apiIssuesPerCall) {
    const step = issueIds.slice(at, at + limits.apiIssuesPerCall)
    const rejected = await changeIssues(call, { issueIds: step, projectIds }, change)
    if (rejected !== undefined) return rejected
  }
  return answer(await toChangeJson(call, { issueIds: issueIds.slice(0, 1), projectIds }, change))
}

async function changeNamed(
  call: ApiCall,
  named: IssueSelection,
  change: Change & { merge?: boolean | number | null | undefined },
): Promise<ApiAnswer> {
  const found = await findAll(call, named)
  // The id of a merged issue means the issue that it was merged into.
  const issueIds = [...new Set(found.map(({ issue }) => Number(issue.id)))]
  const [first] = issueIds
  if (first === undefined) return errorAnswer(404, 'No groups found')
  const selection = { ...named, issueIds }
  const rejected = await changeIssues(call, selection, change)
  if (rejected !== undefined) return rejected
  const changed = await toChangeJson(call, { ...selection, issueIds: [first] }, change)
  if (!change.merge) return answer(changed)
  const merged = await mergeSelection(call, selection)
  if (!merged.ok) return merged.error
  const parent = String(merged.intoId)
  const children = issueIds.map(String).filter((id) => id !== parent)
  return answer({ ...changed, merge: { parent, children } })
}

/** The change in Sentry's form, with the state of the first issue. */
async function toChangeJson(
  call: ApiCall,
  selection: IssueSelection,
  { status, statusDetails, assignedTo }: Change,
) {
  const [after] = await findAll(call, selection)
  const { store, clock, publicOrigin: origin } = call.services
  const extras = after && (await readIssueExtras(store.db, [after.issue])).get(after.issue.id)
  const shown = after && toIssueJson(after.issue, { origin, now: clock(), extras })
  return {
    ...(status && { status: shown?.status ?? status }),
    ...(statusDetails && shown && { statusDetails: shown.statusDetails }),
    ...(assignedTo !== undefined && { assignedTo: shown?.assignedTo ?? null }),
  }
}

async function findAll(call: ApiCall, { issueIds, projectIds }: IssueSelection): Promise<IssueWithHours[]> {
  const found = await Promise.all(
    issueIds.map((issueId) => findRequestedIssueById(call, { issueId, projectIds })),
  )
  return found.flatMap((each) => each ?? [])
}
