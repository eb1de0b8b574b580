import { isAllowed } from '#server/auth/roles.ts'
import {
  deleteRelease,
  listReleaseCommits,
  recordDeploy,
  recordRelease,
  type ReleasePlaces,
} from '#server/store/release-changes.ts'
import { healthKey, readReleaseHealth } from '#server/store/release-health.ts'
import { parseDeploys, toReleaseSummary, type ReleaseRow } from '#server/store/release-row.ts'
import { findPreviousRelease, findReleases, listReleases } from '#server/store/releases.ts'
import { answer, answerPage, notFoundAnswer, type ApiAnswer } from './api-answer.ts'
import type { ApiCall, ApiRoute } from './api-route.ts'
import { findPlaces, readPageSize } from './places.ts'
import { readCallBody } from './read-body.ts'
import {
  deployBody,
  newReleaseBody,
  releaseChangeBody,
  toNewDeploy,
  toReleaseFields,
} from './release-body.ts'
import { toCommitJson, toDeployJson, toReleaseJson } from './release-json.ts'

type RouteOf = Omit<ApiRoute, 'path' | 'scope'> & { below: string }

const ofRelease: RouteOf[] = [
  {
    method: 'GET',
    below: '',
    summary: 'The releases, newest first.',
    query: {
      query: 'A part of the version.',
      sort: '`date` or `semver`.',
      health: '`1`: with the sessions of each.',
      cursor: 'From the Link header.',
      per_page: 'Up to 100.',
    },
    handle: listHere,
  },
  {
    method: 'POST',
    below: '',
    summary: 'Makes a release: 201, or 208 where it is there.',
    body: newReleaseBody,
    handle: create,
  },
  { method: 'GET', below: '{version}/', summary: 'One release.', handle: read },
  {
    method: 'PUT',
    below: '{version}/',
    summary: 'Changes a release: finalizes it, names its commits.',
    body: releaseChangeBody,
    handle: change,
  },
  { method: 'DELETE', below: '{version}/', summary: 'Deletes a release; its events stay.', handle: remove },
  { method: 'GET', below: '{version}/commits/', summary: 'The commits of a release.', handle: listCommits },
  {
    method: 'GET',
    below: '{version}/previous-with-commits/',
    summary: 'The release before it that has commits; `{}` for none.',
    handle: readPrevious,
  },
  {
    method: 'GET',
    below: '{version}/deploys/',
    summary: 'The deploys of a release, latest first.',
    handle: listDeploys,
  },
  {
    method: 'POST',
    below: '{version}/deploys/',
    summary: 'Tells of a deploy.',
    body: deployBody,
    handle: deploy,
  },
]

/** Releases, of all projects of an organization at once or of one of them. */
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
  const places = await findPlaces(call)
  if (places === undefined) return notFoundAnswer
  const parameters = call.url.searchParams
  const [text, cursor] = [parameters.get('query'), parameters.get('cursor')]
  const page = await listReleases(call.services.store.db, {
    projectIds: places.projectIds,
    sort: parameters.get('sort') === 'semver' ? 'version' : 'date',
    limit: readPageSize(call.url),
    ...(text && { text }),
    ...(cursor && { cursor }),
  })
  const releases = parameters.get('health') === '1' ? page.releases : []
  const health = await readReleaseHealth(call.services.store.db, { releases, now: call.services.clock() })
  const rows = page.releases.map((release) =>
    toReleaseJson(
      [release],
      {},
      releases.length > 0 ? (health.get(healthKey(release)) ?? 'none') : undefined,
    ),
  )
  return answerPage(call.url, { ...page, rows })
}

async function create(call: ApiCall): Promise<ApiAnswer> {
  const sent = await readCallBody(call, newReleaseBody)
  if (!sent.ok) return sent.refusal
  const { version, projects } = sent.body
  const projectIds = await findWritable(call, projects)
  if (projectIds.length === 0) return noProjects
  const { newCount } = await recordRelease(
    call.services.store,
    { version, projectIds },
    toReleaseFields(sent.body),
  )
  return answerRelease(call, { version, projectIds }, newCount > 0 ? 201 : 208)
}

async function change(call: ApiCall): Promise<ApiAnswer> {
  const sent = await readCallBody(call, releaseChangeBody)
  if (!sent.ok) return sent.refusal
  const { version = '' } = call.params
  const named = sent.body.projects ?? []
  const writable = await findWritable(call, named)
  const rows = await findReleases(call.services.store.db, { version, projectIds: writable })
  // Of those that do not have it, the ones that are named get it, as sentry-cli expects.
  const projectIds = named.length > 0 ? writable : rows.map((row) => row.project_id)
  if (projectIds.length === 0) return notFoundAnswer
  await recordRelease(call.services.store, { version, projectIds }, toReleaseFields(sent.body))
  return answerRelease(call, { version, projectIds })
}

async function read(call: ApiCall): Promise<ApiAnswer> {
  const places = await findPlaces(call)
  return places === undefined
    ? notFoundAnswer
    : answerRelease(call, { version: call.params['version'] ?? '', projectIds: places.projectIds })
}

async function remove(call: ApiCall): Promise<ApiAnswer> {
  const { version = '' } = call.params
  const projectIds = await findWritable(call, undefined)
  const isGone = await deleteRelease(call.services.store, { version, projectIds })
  return isGone ? { status: 204 } : notFoundAnswer
}

async function listCommits(call: ApiCall): Promise<ApiAnswer> {
  const [row] = await findRows(call)
  if (row === undefined) return notFoundAnswer
  const place = { version: row.version, projectId: row.project_id }
  return answer((await listReleaseCommits(call.services.store.db, place)).map(toCommitJson))
}

/** sentry-cli asks from which commit on it shall send some. */
async function readPrevious(call: ApiCall): Promise<ApiAnswer> {
  const [row] = await findRows(call)
  const { db } = call.services.store
  const previous = row && (await findPreviousRelease(db, row))
  if (previous === undefined) return answer({})
  const place = { version: previous.version, projectId: previous.project.id }
  const [lastCommit] = await listReleaseCommits(db, place)
  return answer(lastCommit ? { ...toReleaseJson([previous]), lastCommit: toCommitJson(lastCommit) } : {})
}

async function listDeploys(call: ApiCall): Promise<ApiAnswer> {
  const rows = await findRows(call)
  if (rows.length === 0) return notFoundAnswer
  // The deploy of a release in several projects has one id in all of them.
  const deploys = new Map(rows.flatMap(parseDeploys).map((each) => [each.id, each]))
  return answer([...deploys.values()].toSorted((one, other) => other.id - one.id).map(toDeployJson))
}

async function deploy(call: ApiCall): Promise<ApiAnswer> {
  const sent = await readCallBody(call, deployBody)
  if (!sent.ok) return sent.refusal
  const { version = '' } = call.params
  const writable = await findWritable(call, sent.body.projects)
  const rows = await findReleases(call.services.store.db, { version, projectIds: writable })
  if (rows.length === 0) return notFoundAnswer
  const projectIds = rows.map((row) => row.project_id)
  const kept = await recordDeploy(call.services.store, { version, projectIds }, toNewDeploy(sent.body))
  return answer(toDeployJson(kept), 201)
}

async function findRows(call: ApiCall): Promise<ReleaseRow[]> {
  const places = await findPlaces(call)
  if (places === undefined) return []
  return findReleases(call.services.store.db, {
    version: call.params['version'] ?? '',
    projectIds: places.projectIds,
  })
}

/** The projects of the path in which the viewer may say something of releases; of them, those that are named. */
async function findWritable(call: ApiCall, named: readonly string[] | null | undefined): Promise<number[]> {
  const places = await findPlaces(call)
  if (places === undefined || !isAllowed(places.membership.role, 'triage')) return []
  const isNamed = ({ id, slug }: { id: number; slug: string }) =>
    named === undefined ||
    named === null ||
    named.length === 0 ||
    named.includes(slug) ||
    named.includes(String(id))
  return places.projects.filter(isNamed).map(({ id }) => id)
}

async function answerRelease(call: ApiCall, places: ReleasePlaces, status = 200): Promise<ApiAnswer> {
  const rows = await findReleases(call.services.store.db, places)
  const [first] = rows
  if (first === undefined) return notFoundAnswer
  const { url, ref } = first
  const extra = { ...(url !== null && { url }), ...(ref !== null && { ref }) }
  return answer(toReleaseJson(rows.map(toReleaseSummary), extra), status)
}

const noProjects: ApiAnswer = {
  status: 400,
  body: { projects: ['Name at least one project in which you may make releases.'] },
}
