import { limits } from '#server/limits.ts'
import type { HasTime } from '#server/retention/pacer.ts'
import { expiryOf } from '#server/retention/run-report.ts'
import { createSurvivorPack, type SurvivorPack } from '#server/retention/space/survivor-pack.ts'
import type { ExpiryReason } from '#server/store/events/records.ts'
import { createEventRemoval, type EventRemoval } from './event-removal.ts'
import { createEndFinder, type EndFinder } from './issue-ends.ts'
import type { ExpiryRun } from './run.ts'
import { valuesPerStatement } from './value-groups.ts'
import { readNextBlock, type WalkedBlock, type WalkedEvent } from './walked-block.ts'

/** A walk through the body blocks of a project, oldest first, that deletes events. */
export interface BlockWalk {
  projectId: number
  reason: ExpiryReason
  /**
   * Events received at this instant (Unix milliseconds) or later are kept; the first and latest event of an
   * issue without such an event are not.
   */
  cutoffAt: number
  /** True: the first and the latest event of an issue are kept. */
  keepsEnds: boolean
  /** Blocks up to this id have been walked. The walk updates it. */
  position: number
  /** Blocks from this id on are not walked. */
  before: number
  /** Number of events that may still be deleted. The walk updates it. */
  quota: number
}

/** A part of a walk that fits into one slice. */
export interface WalkStretch {
  walk: BlockWalk
  /** The block id at which to stop before the walk's own end. */
  upTo: number
  hasTime: HasTime
  /** Ends the stretch between two blocks. */
  isEnough?: () => boolean
}

/** True if nothing is left to walk. */
export function isWalkDone({ position, before, quota }: BlockWalk): boolean {
  return quota <= 0 || position >= before - 1
}

/**
 * Walks for the duration of a slice, at least one block. Leaves a consistent database: every event's payload
 * can be read, no block is without events, and every counter is correct.
 */
export function walkStretch(run: ExpiryRun, { walk, upTo, hasTime, isEnough }: WalkStretch): void {
  const before = Math.min(walk.before, upTo)
  const slice: Slice = {
    run,
    walk,
    hasTime,
    ends: createEndFinder(run.statements, walk),
    removal: createEventRemoval(run, walk),
    pack: createSurvivorPack(run, walk.projectId),
  }
  do {
    const block = readNextBlock(run.statements, walk, before)
    if (block === undefined) walk.position = before - 1
    else if (run.isDryRun) countDryRun(slice, block)
    else walkBlock(slice, block)
    if (isEnough?.() === true || slice.pack.isFull()) break
  } while (walk.position < before - 1 && walk.quota > 0 && hasTime())
  slice.pack.write()
  slice.removal.finish()
}

interface Slice {
  run: ExpiryRun
  walk: BlockWalk
  hasTime: HasTime
  ends: EndFinder
  removal: EventRemoval
  pack: SurvivorPack
}

/** The events of a block to delete, oldest first. */
function findOld({ walk, ends, run }: Slice, { events }: WalkedBlock): WalkedEvent[] {
  const old = events.filter((event) => {
    if (walk.reason === 'age' && event.receivedAt >= walk.cutoffAt) return false
    if (walk.keepsEnds) return !ends.isEnd(event)
    // In a dry run, the walk that keeps the ends has already counted the other events.
    return !run.isDryRun || ends.isEnd(event)
  })
  return old.slice(0, walk.quota)
}

function walkBlock(slice: Slice, block: WalkedBlock): void {
  const { run, walk, pack } = slice
  slice.ends.read(block.events)
  const old = findOld(slice, block)
  const removed = removeWhileTime(slice, old)
  const survivors = block.events.filter((event) => !removed.has(event))
  note(slice, removed.size)
  if (survivors.length === 0) {
    run.statements.deleteBlock.run(walk.projectId, block.id)
  } else if (removed.size < old.length) {
    // The time is up: the next slice continues with this block.
    run.statements.setBlockEventCount.run(survivors.length, walk.projectId, block.id)
    return
  } else if (removed.size > 0 || block.rawBytes < limits.looseBlockBytes) {
    pack.add(block, survivors)
  }
  walk.position = block.id
}

function removeWhileTime({ removal, hasTime }: Slice, old: WalkedEvent[]): Set<WalkedEvent> {
  let count = 0
  do {
    removal.remove(old.slice(count, count + valuesPerStatement))
    count += valuesPerStatement
  } while (count < old.length && hasTime())
  return new Set(old.slice(0, count))
}

function countDryRun(slice: Slice, block: WalkedBlock): void {
  const { run, walk, ends } = slice
  ends.read(block.events)
  const old = findOld(slice, block)
  note(slice, old.length)
  walk.position = block.id
  if (old.length === 0) return
  const bytes = old.length * (run.store.engine.eventRowBytes + block.dataBytes / block.events.length)
  run.freed.add(walk.projectId, 'events', bytes)
  expiryOf(run.report, walk.projectId).issueCount += old.filter((event) => ends.isLatest(event)).length
}

function note({ run, walk }: Slice, eventCount: number): void {
  if (eventCount === 0) return
  walk.quota -= eventCount
  expiryOf(run.report, walk.projectId).events[walk.reason] += eventCount
}
