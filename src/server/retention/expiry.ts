import { firstBlockIdAt } from '#server/store/body-block.ts'
import { isWalkDone, walkStretch } from './block-walk.ts'
import type { BlockWalk } from './block-walk.ts'
import type { ExpiryRun } from './expiry-run.ts'
import { countKeptEvents } from './kept-events.ts'
import type { ProjectLimits } from './project-limits.ts'
import { readPages } from './space.ts'

/** Deletes events that are too old, but for the first one of an issue that has younger ones. */
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
 * Deletes the oldest events of a project that has too many. The first and the latest ones of its issues go only when
 * the newer half of what may be kept would have to make room for them. Comes after `expireByAge`.
 */
export async function expireByCount(run: ExpiryRun, project: ProjectLimits): Promise<void> {
  const { projectId, cutoffAt, maxEvents } = project
  const kept = await countKeptEvents(run.store, projectId, Math.ceil(maxEvents / 2))
  const alreadyGone = run.isDryRun ? (run.report.projects.get(projectId)?.events.age ?? 0) : 0
  let quota = kept.eventCount - alreadyGone - maxEvents
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

async function walkToEnd(run: ExpiryRun, walk: BlockWalk): Promise<BlockWalk> {
  while (!isWalkDone(walk)) {
    await run.pacer.slice((hasTime) => walkStretch(run, { walk, upTo: walk.before, hasTime }))
  }
  return walk
}

/** One walk may get ahead of the others by this share of the whole time. */
const stretchShare = 1 / 200

/**
 * Deletes the oldest events of all projects until the database uses no more than `targetBytes`. First and latest events
 * are spared as by `expireByCount`, until nothing else is left. Returns whether the target was reached.
 */
export async function expireByBytes(
  run: ExpiryRun,
  projects: readonly ProjectLimits[],
  targetBytes: number,
): Promise<boolean> {
  const isReached = () => readPages(run.store.sqlite).usedBytes - run.freedBytes <= targetBytes
  const keptShare = targetBytes / readPages(run.store.sqlite).usedBytes
  for (const reservedShare of [keptShare / 2, 0]) {
    for (const keepsEnds of [true, false]) {
      if (isReached()) return true
      const walks = await Promise.all(
        projects.map((project) => startWalk(run, project, { reservedShare, keepsEnds })),
      )
      await walkTogether(run, walks, isReached)
    }
  }
  return isReached()
}

async function startWalk(
  { store, clearedTo }: ExpiryRun,
  { projectId, cutoffAt }: ProjectLimits,
  { reservedShare, keepsEnds }: { reservedShare: number; keepsEnds: boolean },
): Promise<BlockWalk> {
  const { eventCount } = await countKeptEvents(store, projectId, 0)
  const reserve = Math.ceil(eventCount * reservedShare)
  const { reserveFrom: before } = await countKeptEvents(store, projectId, reserve)
  const position = keepsEnds ? (clearedTo.get(projectId) ?? 0) : 0
  return { projectId, cutoffAt, keepsEnds, before, reason: 'bytes', position, quota: Infinity }
}

/** Walks through several projects at the same pace: the oldest block of all comes first. */
async function walkTogether(run: ExpiryRun, walks: BlockWalk[], isReached: () => boolean): Promise<void> {
  const findNextId = run.store.sqlite.prepare(
    'SELECT id FROM body_blocks WHERE project_id = ? AND id > ? ORDER BY id LIMIT 1',
  )
  const places = new Map(walks.map((walk) => [walk, walk.position]))
  const look = (walk: BlockWalk) => {
    const next = findNextId.get(walk.projectId, walk.position)?.['id']
    if (next === undefined || Number(next) >= walk.before) places.delete(walk)
    else places.set(walk, Number(next))
  }
  for (const walk of walks) look(walk)
  const stretch = (firstBlockIdAt(run.now) - Math.min(...places.values())) * stretchShare
  while (places.size > 0 && !isReached()) {
    const [first, second] = [...places].toSorted(([, one], [, other]) => one - other)
    if (first === undefined) return
    const [walk, place] = first
    const upTo = (second?.[1] ?? place) + Math.max(stretch, 1)
    await run.pacer.slice((hasTime) => walkStretch(run, { walk, upTo, hasTime, isEnough: isReached }))
    look(walk)
  }
}
