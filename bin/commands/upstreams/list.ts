import { formatDsn } from '#protocol/dsn.ts'
import { listProjectNames } from '#server/store/projects/projects.ts'
import { listUpstreamStatuses, type UpstreamStatus } from '#server/store/upstreams/status.ts'
import { defineListCommand } from '../projects/show-command.ts'

/** `culvert upstream list`: lists the upstreams of a project, or of all, with their queues. */
export const upstreamList: Command = async (args, context) => {
  const { values, positionals } = readArguments(usage, {
    args,
    allowPositionals: true,
    options: { json: { type: 'boolean' } },
  })
  const problems = new Problems()
  if (positionals.length > 1) problems.add('One project at most: its id or its slug.')
  problems.throwIfAny(usage)
  const upstreams = await withProjectStore(context, async ({ store }) => {
    const [text] = positionals
    const projects =
      text === undefined ? await listProjectNames(store.db) : [await requireProject(store, text)]
    const statuses = await listUpstreamStatuses(
      store.db,
      projects.map(({ id }) => id),
    )
    return statuses.map(toListedUpstream)
  })
  if (values.json === true) context.print(`${JSON.stringify(upstreams, null, 2)}\n`)
  else for (const upstream of upstreams) context.print(toLine(upstream))
}

function toListedUpstream({ upstreamId: id, dsn, ...status }: UpstreamStatus) {
  return { id, dsn: formatDsn(dsn), ...status }
}

function toLine(upstream: ReturnType<typeof toListedUpstream>): string {
  const { id, projectId, dsn, isPaused, isRetired, waitingCount, failedCount, deliveredCount } = upstream
  const state = isPaused ? 'paused' : isRetired ? 'retired' : 'active'
  return `${String(projectId).padStart(7)}  ${id}  ${state.padEnd(7)}  ${deliveredCount} delivered, ${waitingCount} queued, ${failedCount} rejected  ${dsn}\n`
}
