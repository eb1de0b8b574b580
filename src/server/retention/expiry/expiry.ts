import { limits } from '#server/limits.ts'
import type { ProjectLimits } from '#server/retention/project-limits.ts'
import { hasRows } from '#server/retention/row-deletion.ts'
import type { SpaceResult } from '#server/retention/run-report.ts'
import { planSpace, type ProjectSpace, type SpaceTarget } from '#server/retention/space/plan.ts'
import { toProjectSpaces } from '#server/retention/space/project-space.ts'
import { trimRows } from '#server/retention/space/trim.ts'
import { firstBlockIdAt } from '#server/store/events/body-block.ts'
import { listStoredSpace, type StoredSpace } from '#server/store/projects/space.ts'
import { isWalkDone, walkStretch, type BlockWalk } from './block-walk.ts'
import { countKeptEvents } from './kept-events.ts'
import type { ExpiryRun } from './run.ts'

/** Deletes events that are too old, except the first one of an issue that has newer ones. */
export async function expireByAge(run: ExpiryRun, { projectId, cutoffAt }: ProjectLimits): Promise<void> {
  await walkToEnd(run, {
    projectId,
    reason: 'age',
    cutoffAt,
    keepsEnds: true,
    position: 0,
    before: firstBlockIdAt(cutoffAt),
    quota: Infinity,
  })
  run.clearedTo.set(projectId, firstBlockIdAt(cutoffAt) - 1)
}

/**
 * Deletes the oldest events of a project above its limit. The first and latest events of its issues are
 * deleted only if otherwise events in the newer half of the limit would be. Call after `expireByAge`.
 */
export async function expireByCount(run: ExpiryRun, project: ProjectLimits): Promise<void> {
  const { projectId, cutoffAt, maxEvents } = project
  const kept = await countKeptEvents(run.store, projectId, Math.ceil(maxEvents / 2))
  const expiredCount = run.isDryRun ? (run.report.projects.get(projectId)?.events.age ?? 0) : 0
  let quota = kept.eventCount - expiredCount - maxEvents
  // The block in which the reserve begins is walked last.
  for (const before of [kept.reserveFrom, Number.MAX_SAFE_INTEGER]) {
    for (const keepsEnds of [true, false]) {
      if (quota <= 0) return
      const position = keepsEnds ? (run.clearedTo.get(projectId) ?? 0) : 0
      const limited = { projectId, cutoffAt, keepsEnds, quota, position, before }
      const walk = await walkToEnd(run, { ...limited, reason: 'count' })
      if (keepsEnds) run.clearedTo.set(projectId, walk.position)
      quota = walk.quota
    }
  }
}

async function walkToEnd(
  run: ExpiryRun,
  walk: BlockWalk,
  isEnough: () => boolean = () => false,
): Promise<BlockWalk> {
  const { projectId, position, before } = walk
  const blocks = { table: 'body_blocks', where: 'project_id = ? AND id > ? AND id < ?' }
  // Events whose block was lost in a damaged database.
  const events = { table: 'events', where: 'project_id = ? AND block_id > ? AND block_id < ?' }
  const values = [projectId, position, before]
  if (!isWalkDone(walk) && !(await hasRows(run, blocks, values)) && !(await hasRows(run, events, values))) {
    walk.position = before - 1
  }
  while (!isWalkDone(walk)) {
    if (isEnough()) break
    await run.pacer.slice((hasTime) => walkStretch(run, { walk, upTo: walk.before, hasTime, isEnough }))
  }
  return walk
}

/**
 * Deletes until the database uses no more than `targetBytes`: of the largest projects the largest kinds of
 * rows, oldest first (`planSpace`). The first and latest events of issues are kept as by `expireByCount`,
 * until nothing else of their project can be deleted.
 */
export async function expireByBytes(
  run: ExpiryRun,
  projects: readonly ProjectLimits[],
  targetBytes: number,
): Promise<SpaceResult> {
  const { connection, engine } = run.store
  const missingBytes = () => engine.readUsedBytes() - run.freed.totalBytes - targetBytes
  const isReached = () => missingBytes() <= 0
  // Deleting frees less than the counted bytes if rows share a page with others, or issues outlive their
  // events.
  for (let round = 0; round < limits.spaceRounds && !isReached(); round += 1) {
    const before = missingBytes()
    const usedBytes = engine.readUsedBytes() - engine.emptyBytes
    const { projects: spaces, bytesPerEvent } = toProjectSpaces(listStoredSpace(connection), usedBytes)
    for (const target of planSpace(spaces, before)) {
      const space = spaces.find(({ projectId }) => projectId === target.projectId)
      const project = projects.find(({ projectId }) => projectId === target.projectId)
      if (space === undefined || project === undefined || run.failures.has(target.projectId)) continue
      const gift = { space, target, project, bytesPerEvent, isReached }
      await run.failures.attempt(target.projectId, () => giveUpSpace(run, gift))
    }
    // A dry run deletes nothing, so the next round would count the same rows.
    if (run.isDryRun || missingBytes() >= before) break
  }
  if (isReached()) return 'within'
  return run.isDryRun || listStoredSpace(connection).every(hasNothingToGive) ? 'exhausted' : 'behind'
}

function hasNothingToGive(space: StoredSpace): boolean {
  const { eventCount, outboxBytes, attachmentBytes, deadLetterBytes } = space
  return eventCount + outboxBytes + attachmentBytes + deadLetterBytes === 0
}

interface Gift {
  space: ProjectSpace
  target: SpaceTarget
  project: ProjectLimits
  bytesPerEvent: number
  isReached: () => boolean
}

async function giveUpSpace(run: ExpiryRun, gift: Gift): Promise<void> {
  const { space, target, isReached } = gift
  const { projectId } = space
  for (const kind of ['outbox', 'attachments', 'deadLetters'] as const)
    await trimRows(run, { projectId, kind, bytes: space.kinds[kind] - target.keep[kind], isReached })
  await giveUpEvents(run, gift)
}

async function giveUpEvents(run: ExpiryRun, gift: Gift): Promise<void> {
  const { space, target, project } = gift
  const { projectId, cutoffAt } = project
  if (space.kinds.events <= target.keep.events) return
  const isEnough = createEnough(run, gift)
  const keptShare = target.keep.events / space.kinds.events
  const { eventCount } = await countKeptEvents(run.store, projectId, 0)
  for (const reservedShare of [keptShare / 2, 0]) {
    const reserve = Math.ceil(eventCount * reservedShare)
    const { reserveFrom: before } = await countKeptEvents(run.store, projectId, reserve)
    for (const keepsEnds of [true, false]) {
      if (isEnough()) return
      const position = keepsEnds ? (run.clearedTo.get(projectId) ?? 0) : 0
      const bounds = { projectId, cutoffAt, keepsEnds, before, position, quota: Infinity }
      const walk = await walkToEnd(run, { ...bounds, reason: 'bytes' }, isEnough)
      if (keepsEnds) run.clearedTo.set(projectId, walk.position)
    }
  }
}

/** Returns whether a project's events are within the limit, or enough has been deleted in total. */
function createEnough(run: ExpiryRun, { space, target, bytesPerEvent, isReached }: Gift): () => boolean {
  const { projectId } = space
  const freedBefore = run.freed.of(projectId, 'events')
  const read = run.store.connection.prepare(
    'SELECT event_count * cast(? AS double precision) + event_bytes AS bytes FROM project_bytes WHERE project_id = ?',
  )
  const eventBytes = () =>
    run.isDryRun
      ? space.kinds.events - (run.freed.of(projectId, 'events') - freedBefore)
      : Number(read.get(bytesPerEvent, projectId)?.['bytes'] ?? 0)
  return () => eventBytes() <= target.keep.events || isReached()
}
