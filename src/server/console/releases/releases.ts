import { notFound } from '@tanstack/react-router'
import { reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import { limits } from '#server/limits.ts'
import type { Services } from '#server/services.ts'
import { listFilterChoices } from '#server/store/projects/projects.ts'
import { findReleasesWithHealth, toHealthView } from '#server/store/releases/health-steps.ts'
import { healthKey, readReleaseHealth } from '#server/store/releases/health.ts'
import { findPreviousRelease, listIssuesOfRelease, listReleases } from '#server/store/releases/releases.ts'
import { parseCommits, parseDeploys, parseUploads, toReleaseSummary } from '#server/store/releases/row.ts'
import type { ReleaseListView, ReleaseView } from '#server/store/releases/views.ts'
import type { ReleaseListSearch, ReleaseSearch } from './releases.search.ts'

type ReleaseServices = Pick<Services, 'store' | 'clock'>

/** The releases under the filters of the URL, with their sessions. Three statements. */
export async function listReleaseView(
  { store: { db }, clock }: ReleaseServices,
  viewer: Viewer,
  search: ReleaseListSearch,
): Promise<ReleaseListView> {
  const { projects, environments } = await listFilterChoices(db, reachableProjects(viewer))
  const base = { now: clock(), projects, environments }
  // A project that does not exist has no releases; leaving the filter out would show everybody else's.
  const chosen = projects.filter(({ slug }) => search.project === undefined || slug === search.project)
  if (chosen.length === 0) return { ...base, releases: [] }
  const page = await listReleases(db, {
    projectIds: chosen.map(({ id }) => id),
    sort: search.sort ?? 'date',
    limit: limits.releasesShown,
    ...(search.environment !== undefined && { environment: search.environment }),
    ...(search.q !== undefined && { text: search.q }),
    ...(search.cursor !== undefined && { cursor: search.cursor }),
  })
  const health = await readReleaseHealth(db, {
    releases: page.releases,
    now: base.now,
    ...(search.environment !== undefined && { environment: search.environment }),
  })
  const releases = page.releases.map((release) => {
    const found = health.get(healthKey(release))
    return found === undefined ? release : Object.assign(release, { health: found })
  })
  // Those that only sessions have named so far are not among the choices.
  const named = new Set([...environments, ...releases.flatMap((release) => release.environments)])
  return { ...base, ...page, releases, environments: [...named].toSorted() }
}

/** Names a release, and what of its sessions is shown. */
export interface ReleaseReference extends ReleaseSearch {
  version: string
}

/** A release with what it broke. Three statements; throws the router's not-found where there is none. */
export async function getReleaseView(
  { store: { db }, clock }: ReleaseServices,
  viewer: Viewer,
  { version, project, period = '14d', environment }: ReleaseReference,
): Promise<ReleaseView> {
  const now = clock()
  const health = { period, now, ...(environment !== undefined && { environment }) }
  const found = await findReleasesWithHealth(db, { version, projectIds: reachableProjects(viewer), health })
  const row = found.find(({ project_slug }) => project === undefined || project_slug === project)
  if (row === undefined) throw notFound()
  const previous = await findPreviousRelease(db, row, environment)
  const issues = await listIssuesOfRelease(db, { projectId: row.project_id, version })
  return {
    now,
    release: toReleaseSummary(row),
    health: toHealthView(row, health),
    ...(row.url !== null && { url: row.url }),
    ...(row.ref !== null && { ref: row.ref }),
    commitCount: row.commit_count,
    commits: parseCommits(row),
    artifactCount: row.artifact_count,
    uploads: parseUploads(row),
    deploys: parseDeploys(row),
    ...(previous && { previous }),
    otherProjects: found.filter((other) => other !== row).map((other) => toReleaseSummary(other).project),
    ...issues,
  }
}
