import * as v from 'valibot'
import {
  answer,
  answerPage,
  notFoundAnswer,
  errorAnswer,
  fieldErrorAnswer,
  type ApiAnswer,
} from '#server/api/api-answer.ts'
import { findMembership, type ApiCall, type ApiRoute } from '#server/api/api-route.ts'
import { findNamedProject, findProjectScope, readPageSize } from '#server/api/project-scope.ts'
import { readCallBody } from '#server/api/read-body.ts'
import { readCursor } from '#server/api/read-cursor.ts'
import { isAllowed } from '#server/auth/roles.ts'
import { projectsWith } from '#server/auth/viewer.ts'
import {
  deleteRelease,
  recordDeploy,
  recordRelease,
  type ReleaseSelector,
} from '#server/store/releases/changes.ts'
import type { FixScope } from '#server/store/releases/commit-fixes.ts'
import { listReleaseCommits, readCommitHeads } from '#server/store/releases/commits.ts'
import { readReleaseHealth } from '#server/store/releases/health.ts'
import type { ReleaseSummary } from '#server/store/releases/records.ts'
import {
  findPreviousWithCommits,
  findReleases,
  findReleasesNamed,
  listReleases,
  releaseCursors,
} from '#server/store/releases/releases.ts'
import { toReleaseSummary, type ReleaseRow } from '#server/store/releases/row.ts'
import { commitAnswer, deployAnswer, previousReleaseAnswer, releaseAnswer } from './answer.ts'
import { deployBody, newReleaseBody, releaseChangeBody, toNewDeploy, toReleaseFields } from './body.ts'
import { listDeploysOf, toCommitJson, toDeployJson, toReleaseJson, type ReleaseDetails } from './json.ts'

type RouteOf = Omit<ApiRoute, 'path' | 'scope'> & { below: string }

const withHealth = { health: '`1`: with the sessions in each project.' }

const ofRelease: RouteOf[] = [
  {
    method: 'GET',
    below: '',
    summary: 'The releases, newest first; a release of several projects is listed once.',
    query: {
      query: 'A part of the version.',
      sort: '`date` or `semver`.',
      status: '`open` or `archived`. Default: both.',
      ...withHealth,
      project: 'A project’s id or slug, repeated; -1: all.',
      cursor: 'From the Link header.',
      per_page: 'Up to 100.',
    },
    answers: v.array(releaseAnswer),
    isPaged: true,
    handle: listHere,
  },
  {
    method: 'POST',
    below: '',
    summary: 'Creates a release: 201, or 208 if it exists.',
    body: newReleaseBody,
    answers: releaseAnswer,
    statuses: [201, 208],
    handle: create,
  },
  {
    method: 'GET',
    below: '{version}/',
    summary: 'One release.',
    query: withHealth,
    answers: releaseAnswer,
    handle: read,
  },
  {
    method: 'PUT',
    below: '{version}/',
    summary: 'Changes a release: finalizes it, names its commits.',
    body: releaseChangeBody,
    answers: releaseAnswer,
    handle: change,
  },
  {
    method: 'DELETE',
    below: '{version}/',
    summary: 'Deletes a release; its events remain.',
    statuses: [204],
    handle: remove,
  },
  {
    method: 'GET',
    below: '{version}/commits/',
    summary: 'The commits of a release.',
    answers: v.array(commitAnswer),
    isPaged: true,
    handle: listCommits,
  },
  {
    method: 'GET',
    below: '{version}/previous-with-commits/',
    summary: 'The previous release with commits; `{}` if there is none.',
    answers: previousReleaseAnswer,
    handle: readPrevious,
  },
  {
    method: 'GET',
    below: '{version}/deploys/',
    summary: 'The deploys of a release, latest first.',
    answers: v.array(deployAnswer),
    isPaged: true,
    handle: listDeploys,
  },
  {
    method: 'POST',
    below: '{version}/deploys/',
    summary: 'Creates a deploy.',
    body: deployBody,
    answers: deployAnswer,
    statuses: [201],
    handle: deploy,
  },
]

/** Releases of an organization or a project. */
export const releaseRoutes: readonly ApiRoute[] = [
  '/organizations/{org}/releases/',
  '/projects/{org}/{project}/releases/',
].flatMap((base) => ofRelease.map((route) => toRoute(base, route)))

function toRoute(base: string, { below, ...route }: RouteOf): ApiRoute {
  return {
    ...route,
    path: `${base}${below}`,
    scope: route.method === 'GET' ? 'project:read' : 'project:releases',
  }
}

async function listHere(call: ApiCall): Promise<ApiAnswer> {
  const scope = await findProjectScope(call)
  if (scope === undefined) return notFoundAnswer
  const parameters = call.url.searchParams
  const sort = parameters.get('sort') === 'semver' ? 'version' : 'date'
  const cursor = readCursor(call.url, releaseCursors(sort))
  if (!cursor.ok) return cursor.error
  const limit = readPageSize(call.url)
  if (!limit.ok) return limit.error
  const { projectIds } = scope
  const { db } = call.services.store
  const text = parameters.get('query')
  const status = parameters.get('status')
  if (status && !['open', 'archived'].includes(status))
    return errorAnswer(400, `status is open or archived, not "${status}".`)
  const page = await listReleases(db, {
    projectIds,
    sort,
    limit: limit.value,
    ...(text && { text }),
    ...(status && { isArchived: status === 'archived' }),
    ...cursor.value,
  })
  const rows = await findReleasesNamed(db, {
    versions: page.releases.map((each) => each.version),
    projectIds,
  })
  const details = await readDetails(call, rows)
  const byVersion = Map.groupBy(rows, ({ version }) => version)
  const shown = page.releases.flatMap((release) => {
    const same = byVersion.get(release.version) ?? []
    return isFirstOf(same, release) ? [toReleaseJson(same, details)] : []
  })
  return answerPage(call.url, { ...page, rows: shown })
}

/** A release in several projects is listed once, in that of its first row: by date, then by project. */
function isFirstOf(rows: readonly ReleaseRow[], { datedAt, project }: ReleaseSummary): boolean {
  return rows.every((row) => {
    const otherAt = row.released_at ?? row.created_at
    return otherAt < datedAt || (otherAt === datedAt && row.project_id <= project.id)
  })
}

async function readDetails(
  { url, services: { store, clock } }: ApiCall,
  rows: readonly ReleaseRow[],
): Promise<ReleaseDetails> {
  const commits = await readCommitHeads(store.db, rows)
  if (!['1', 'true'].includes(url.searchParams.get('health') ?? '')) return { commits }
  const releases = rows.map(toReleaseSummary)
  return { commits, health: await readReleaseHealth(store.db, { releases, now: clock() }) }
}

async function create(call: ApiCall): Promise<ApiAnswer> {
  const sent = await readCallBody(call, newReleaseBody)
  if (!sent.ok) return sent.error
  const { version, projects } = sent.body
  const writable = await findWritable(call, projects)
  if (!writable.ok) return writable.error
  const projectIds = await findProjectsOf(call, { version, named: projects, writable: writable.projectIds })
  if (projectIds.length === 0) return fieldErrorAnswer('projects', noProject(version))
  const { newCount } = await recordRelease(
    call.services.store,
    { version, projectIds },
    { ...toReleaseFields(sent.body), fixes: toFixScope(call) },
  )
  return answerRelease(call, { version, projectIds }, newCount > 0 ? 201 : 208)
}

/**
 * The projects in which a release is created or changed: the named ones, or the project in the path;
 * otherwise those that have the release. `sentry-cli releases archive` names none and must not add the
 * release to other projects.
 */
async function findProjectsOf(
  call: ApiCall,
  {
    version,
    named,
    writable,
  }: { version: string; named: readonly string[] | null | undefined; writable: readonly number[] },
): Promise<number[]> {
  const isNamed = call.params['project'] !== undefined || (named ?? []).length > 0
  if (isNamed) return [...writable]
  const rows = await findReleases(call.services.store.db, { version, projectIds: writable })
  return rows.map((row) => row.project_id)
}

const noProject = (version: string) => `Name at least one project: release ${version} does not exist.`

async function change(call: ApiCall): Promise<ApiAnswer> {
  const sent = await readCallBody(call, releaseChangeBody)
  if (!sent.ok) return sent.error
  const { version = '' } = call.params
  const named = sent.body.projects ?? []
  const writable = await findWritable(call, named)
  if (!writable.ok) return writable.error
  const rows = await findReleases(call.services.store.db, { version, projectIds: writable.projectIds })
  // Creates the release in named projects without it, as sentry-cli expects.
  const projectIds = named.length > 0 ? writable.projectIds : rows.map((row) => row.project_id)
  if (projectIds.length === 0) return notFoundAnswer
  const fields = { ...toReleaseFields(sent.body), fixes: toFixScope(call) }
  await recordRelease(call.services.store, { version, projectIds }, fields)
  return answerRelease(call, { version, projectIds })
}

/** Commit messages resolve issues in all projects of the organization that the token may change. */
function toFixScope(call: ApiCall): FixScope {
  const membership = findMembership(call)
  const projectIds = projectsWith(call.viewer, 'triage').filter((id) => membership?.projectIds.includes(id))
  return { projectIds, origin: call.services.publicOrigin }
}

async function read(call: ApiCall): Promise<ApiAnswer> {
  const scope = await findProjectScope(call)
  return scope === undefined
    ? notFoundAnswer
    : answerRelease(call, { version: call.params['version'] ?? '', projectIds: scope.projectIds })
}

async function remove(call: ApiCall): Promise<ApiAnswer> {
  const { version = '' } = call.params
  const writable = await findWritable(call, undefined)
  if (!writable.ok) return writable.error
  const isGone = await deleteRelease(call.services.store, { version, projectIds: writable.projectIds })
  return isGone ? { status: 204 } : notFoundAnswer
}

async function listCommits(call: ApiCall): Promise<ApiAnswer> {
  const [row] = await findRows(call)
  if (row === undefined) return notFoundAnswer
  const key = { version: row.version, projectId: row.project_id }
  const commits = await listReleaseCommits(call.services.store.db, key)
  return answerPage(call.url, { rows: commits.map(toCommitJson) })
}

/** sentry-cli uses the last commit of the previous release as the start of the range. */
async function readPrevious(call: ApiCall): Promise<ApiAnswer> {
  const [row] = await findRows(call)
  if (row === undefined) return notFoundAnswer
  const previous = await findPreviousWithCommits(call.services.store.db, row)
  return answer(previous ? toReleaseJson([previous], await readDetails(call, [previous])) : {})
}

async function listDeploys(call: ApiCall): Promise<ApiAnswer> {
  const rows = await findRows(call)
  if (rows.length === 0) return notFoundAnswer
  return answerPage(call.url, { rows: listDeploysOf(rows).map(toDeployJson) })
}

async function deploy(call: ApiCall): Promise<ApiAnswer> {
  const sent = await readCallBody(call, deployBody)
  if (!sent.ok) return sent.error
  const { version = '' } = call.params
  const writable = await findWritable(call, sent.body.projects)
  if (!writable.ok) return writable.error
  const rows = await findReleases(call.services.store.db, { version, projectIds: writable.projectIds })
  if (rows.length === 0) return notFoundAnswer
  const projectIds = rows.map((row) => row.project_id)
  const kept = await recordDeploy(call.services.store, { version, projectIds }, toNewDeploy(sent.body))
  return answer(toDeployJson(kept), 201)
}

async function findRows(call: ApiCall): Promise<ReleaseRow[]> {
  const scope = await findProjectScope(call)
  if (scope === undefined) return []
  return findReleases(call.services.store.db, {
    version: call.params['version'] ?? '',
    projectIds: scope.projectIds,
  })
}

type Writable = { ok: true; projectIds: number[] } | { ok: false; error: ApiAnswer }

/** The projects of the path, limited to named ones, in which the viewer may change releases. */
async function findWritable(call: ApiCall, named: readonly string[] | null | undefined): Promise<Writable> {
  const scope = await findProjectScope(call)
  if (scope === undefined) return { ok: false, error: notFoundAnswer }
  if (!isAllowed(scope.membership.role, 'triage')) return { ok: false, error: cannotChangeReleases }
  const names = named ?? []
  const found = names.map((name) => findNamedProject(scope.projects, name))
  const unknown = names.filter((_, at) => found[at] === undefined)
  if (unknown.length > 0)
    return { ok: false, error: fieldErrorAnswer('projects', `Invalid project slugs: ${unknown.join(', ')}`) }
  const projects = scope.projects.filter((project) => names.length === 0 || found.includes(project))
  return { ok: true, projectIds: projects.map(({ id }) => id) }
}

async function answerRelease(call: ApiCall, selector: ReleaseSelector, status = 200): Promise<ApiAnswer> {
  const rows = await findReleases(call.services.store.db, selector)
  if (rows.length === 0) return notFoundAnswer
  return answer(toReleaseJson(rows, await readDetails(call, rows)), status)
}

const cannotChangeReleases = errorAnswer(
  403,
  'You do not have permission to perform this action: viewers cannot change releases.',
)
