import { reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import { limits } from '#server/limits.ts'
import type { Services } from '#server/services.ts'
import { findArtifactUsage, listUploads } from '#server/store/artifacts/list.ts'
import { listFilterChoices } from '#server/store/projects/projects.ts'
import { listReleaseCommits, readCommitHeads } from '#server/store/releases/commits.ts'
import { readHealthSteps } from '#server/store/releases/health-steps.ts'
import { healthKey, readReleaseHealth } from '#server/store/releases/health.ts'
import type { CommitSummary, ReleaseCommit } from '#server/store/releases/records.ts'
import {
  findPreviousRelease,
  findReleases,
  listIssuesOfRelease,
  listReleases,
} from '#server/store/releases/releases.ts'
import { toDeploys, toReleaseSummary } from '#server/store/releases/row.ts'
import type { ReleaseListSearch, ReleaseSearch } from './releases.search.ts'
import type { ReleaseListView, ReleaseView } from './views.ts'

type ReleaseServices = Pick<Services, 'store' | 'clock'>

/** The releases under the filters of the URL, with their sessions. */
export async function listReleaseView(
  { store: { db }, clock }: ReleaseServices,
  viewer: Viewer,
  search: ReleaseListSearch,
): Promise<ReleaseListView> {
  const { projects, environments } = await listFilterChoices(db, reachableProjects(viewer))
  const base = { now: clock(), projects, environments }
  // A project that does not exist has no releases; ignoring the filter would show those of all projects.
  const chosen = projects.filter(({ slug }) => search.project === undefined || slug === search.project)
  if (chosen.length === 0) return { ...base, releases: [] }
  const page = await listReleases(db, {
    projectIds: chosen.map(({ id }) => id),
    sort: search.sort ?? 'date',
    limit: limits.releasesShown,
    environment: search.environment,
    text: search.q,
    cursor: search.cursor,
  })
  const health = await readReleaseHealth(db, {
    releases: page.releases,
    now: base.now,
    environment: search.environment,
  })
  const releases = page.releases.map((release) => {
    const found = health.get(healthKey(release))
    return found === undefined ? release : Object.assign(release, { health: found })
  })
  // Environments that only sessions have named are not in the list.
  const named = new Set([...environments, ...releases.flatMap((release) => release.environments)])
  return { ...base, ...page, releases, environments: [...named].toSorted() }
}

/** Identifies a release, with the search parameters of its page. */
export interface ReleaseReference extends ReleaseSearch {
  version: string
}

/** A release with its issues; undefined if there is none. */
export async function findReleaseView(
  { store: { db }, clock }: ReleaseServices,
  viewer: Viewer,
  { version, project, period = '14d', environment }: ReleaseReference,
): Promise<ReleaseView | undefined> {
  const now = clock()
  const found = await findReleases(db, { version, projectIds: reachableProjects(viewer) })
  const row = found.find(({ project_slug }) => project === undefined || project_slug === project)
  if (row === undefined) return undefined
  const key = { projectId: row.project_id, version }
  const uploads = { projectId: row.project_id, release: version }
  const [health, commits, heads, usage, uploaded, previous, issues] = await Promise.all([
    readHealthSteps(db, { ...key, period, now, environment }),
    listReleaseCommits(db, { ...key, limit: limits.releaseCommitsShown }),
    readCommitHeads(db, [row]),
    findArtifactUsage(db, uploads),
    listUploads(db, uploads),
    findPreviousRelease(db, row, environment),
    listIssuesOfRelease(db, key),
  ])
  return {
    now,
    release: toReleaseSummary(row),
    health,
    url: row.url ?? undefined,
    ref: row.ref ?? undefined,
    commitCount: heads.get(version)?.count ?? 0,
    commits: commits.map(toCommitView),
    artifactCount: usage.fileCount,
    uploads: uploaded,
    deploys: toDeploys(row),
    ...(previous && { previous }),
    otherProjects: found.filter((other) => other !== row).map((other) => toReleaseSummary(other).project),
    ...issues,
  }
}

/** A commit with the first line of its message. */
function toCommitView({ id, message = '', authorName, committedAt }: ReleaseCommit): CommitSummary {
  return {
    id,
    subject: message.split('\n', 1)[0] ?? '',
    authorName,
    committedAt,
  }
}
