import { formatDsn } from '#protocol/dsn.ts'
import { listProjectNames } from '#server/store/projects/projects.ts'
import { listUpstreamStatuses, type UpstreamStatus } from '#server/store/upstreams/status.ts'
import { defineListCommand } from '../projects/show-command.ts'

/** `culvert upstream list`: the upstreams of a project, or of all, with their queues. */
export const upstreamList = defineListCommand(
  'culvert upstream list [PROJECT] [--json]',
  async ({ store }, only) => {
    const projects = only === undefined ? await listProjectNames(store.db) : [only]
    const projectIds = projects.map(({ id }) => id)
    const upstreams = (await listUpstreamStatuses(store.db, projectIds)).map(toListedUpstream)
    return { json: upstreams, text: upstreams.map(toLine).join('') }
  },
)

function toListedUpstream({ upstreamId: id, dsn, ...status }: UpstreamStatus) {
  return { id, dsn: formatDsn(dsn), ...status }
}

function toLine(upstream: ReturnType<typeof toListedUpstream>): string {
  const { id, projectId, dsn, isPaused, isRetired, waitingCount, failedCount, deliveredCount } = upstream
  const state = isPaused ? 'paused' : isRetired ? 'retired' : 'active'
  return `${String(projectId).padStart(7)}  ${id}  ${state.padEnd(7)}  ${deliveredCount} delivered, ${waitingCount} queued, ${failedCount} rejected  ${dsn}\n`
}
