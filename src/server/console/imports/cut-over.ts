import { toUpstreamView } from '#server/console/tunnel/tunnel.ts'
import { limits } from '#server/limits.ts'
import { listImportedProjects, type ImportedProjectState } from '#server/store/imports/cut-over.ts'
import type { Store } from '#server/store/store.ts'
import { listUpstreamStatuses, type UpstreamStatus } from '#server/store/upstreams/status.ts'
import type { CutOverProjectView, CutOverState, CutOverStep, CutOverView } from './views.ts'

/** The cut-over of the imported projects among these. Three statements; two if there are none. */
export async function getCutOver(
  { db }: Pick<Store, 'db'>,
  projectIds: readonly number[],
): Promise<CutOverView> {
  const imported = await listImportedProjects(db, projectIds)
  const statuses =
    imported.length === 0
      ? []
      : await listUpstreamStatuses(
          db,
          imported.map(({ projectId }) => projectId),
        )
  return toCutOver(imported, statuses)
}

/** The checklist of the cut-over, from the state of each imported project and of their upstreams. */
function toCutOver(
  imported: readonly ImportedProjectState[],
  statuses: readonly UpstreamStatus[],
): CutOverView {
  const active = statuses.filter(({ isRetired }) => !isRetired)
  const upstreams = Map.groupBy(active, ({ projectId }) => projectId)
  const counts = {
    projectCount: imported.length,
    importedAt: earliest(imported.map(({ importedAt }) => importedAt)),
    forwardingCount: imported.filter(({ projectId }) => upstreams.has(projectId)).length,
    waitingCount: sum(statuses.map(({ waitingCount }) => waitingCount)),
    receivingCount: imported.filter(({ firstUsedAt }) => firstUsedAt !== undefined).length,
    firstUsedAt: earliest(imported.map(({ firstUsedAt }) => firstUsedAt)),
    issueCount: sum(imported.map(({ issueCount }) => issueCount)),
    differentCount: sum(imported.map(({ differentCount }) => differentCount)),
    comparedCount: imported.filter(isCompared).length,
    comparedAt: latest(imported.map(({ comparedAt }) => comparedAt)),
  }
  const projects = imported
    .map(({ projectId, slug, importedAt, firstUsedAt, issueCount, differentCount }): CutOverProjectView => ({
      slug,
      isWatched: importedAt !== undefined,
      firstUsedAt,
      issueCount,
      differentCount,
      upstreams: (upstreams.get(projectId) ?? []).map((status) => toUpstreamView(status, true)),
    }))
    .toSorted((one, other) => Number(one.firstUsedAt !== undefined) - Number(other.firstUsedAt !== undefined))
  return {
    ...counts,
    states: toStates(counts, active.some(isTroubled)),
    projects: projects.slice(0, limits.cutOverProjects),
    otherCount: Math.max(0, projects.length - limits.cutOverProjects),
  }
}

/** Comparing counts is useful once both trackers receive everything. */
function isCompared({ issueCount, comparedAt = 0, firstUsedAt }: ImportedProjectState): boolean {
  return firstUsedAt !== undefined && (issueCount === 0 || comparedAt >= firstUsedAt)
}

function isTroubled({ isPaused, state, failedCount }: UpstreamStatus): boolean {
  const { failureCount = 0, deliveredAt } = state
  return !isPaused && (failureCount > 0 || (deliveredAt === undefined && failedCount > 0))
}

type Counts = Omit<CutOverView, 'states' | 'projects' | 'otherCount'>

/** The first step that is not done is next; those after it are later. */
function toStates(counts: Counts, hasTrouble: boolean): Record<CutOverStep, CutOverState> {
  const { projectCount, forwardingCount, receivingCount, comparedCount, waitingCount } = counts
  const isImported = projectCount > 0
  const isMoved = isImported && receivingCount === projectCount
  const isForwarded = isImported && forwardingCount === projectCount
  const isSettled = isMoved && comparedCount === projectCount
  const isDoneWithout = isMoved && forwardingCount === 0
  const toForward: CutOverState = isForwarded ? 'done' : isDoneWithout ? 'off' : 'next'
  const toStop: CutOverState = forwardingCount === 0 && waitingCount === 0 ? 'done' : 'ready'
  let hasNext = false
  const inTurn = (state: CutOverState): CutOverState => {
    if (state !== 'next') return state
    const own = hasNext ? 'later' : 'next'
    hasNext = true
    return own
  }
  return {
    import: inTurn(isImported ? 'done' : 'next'),
    forward: inTurn(hasTrouble ? 'problem' : toForward),
    move: inTurn(isMoved ? 'done' : 'next'),
    compare: inTurn(isSettled ? 'done' : 'next'),
    stop: inTurn(isSettled ? toStop : 'next'),
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}

function latest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined)
  return known.length === 0 ? undefined : Math.max(...known)
}
