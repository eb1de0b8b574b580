import { limits } from '#server/limits.ts'
import type { ExpiryRun } from '#server/retention/expiry/run.ts'
import { toBytes, type WalkedBlock, type WalkedEvent } from '#server/retention/expiry/walked-block.ts'
import { createBlockBuilder, inflateBlock, type BlockSlot } from '#server/store/events/body-block.ts'

/** Packs the remaining events of blocks with deletions, and of small blocks, into few new blocks. */
export interface SurvivorPack {
  /** Adds the remaining events of a block. An unreadable block stays until its last event is deleted. */
  add(block: WalkedBlock, survivors: WalkedEvent[]): void
  /** True if a whole block is collected: write it before adding more. */
  isFull(): boolean
  /** Replaces the old blocks by the new ones. Call it once, at the end. */
  write(): void
}

/**
 * The new blocks reuse ids of the old ones, so that blocks remain in time order and the next walk visits them
 * again. Every block adds at most one new one: the events of one block fit into one.
 */
export function createSurvivorPack(run: ExpiryRun, projectId: number): SurvivorPack {
  const { statements, report } = run
  const sources: WalkedBlock[] = []
  const moves: { eventId: Uint8Array; slot: BlockSlot }[] = []
  let idsTaken = 0
  let rawBytes = 0
  const builder = createBlockBuilder(() => {
    const source = sources[idsTaken]
    if (source === undefined) throw new Error('more blocks were written than were read')
    idsTaken += 1
    return source.id
  })

  return {
    add(block, survivors) {
      const raw = readRaw(run, projectId, block)
      if (raw === undefined) {
        report.damagedBlockCount += 1
        statements.setBlockEventCount.run(survivors.length, projectId, block.id)
        return
      }
      sources.push(block)
      for (const { eventId, offset, length } of survivors) {
        const slot = builder.slotFor(projectId, length)
        slot.fill(raw.subarray(offset, offset + length))
        moves.push({ eventId, slot })
        rawBytes += length
      }
    },
    isFull: () => rawBytes >= limits.bodyBlockBytes,
    write() {
      const [first] = sources
      if (first === undefined || (sources.length === 1 && moves.length === first.events.length)) return
      for (const { id } of sources) statements.deleteBlock.run(projectId, id)
      for (const { id, eventCount, rawBytes: size, data } of builder.finish()) {
        const createdAt = sources.find((source) => source.id === id)?.createdAt ?? first.createdAt
        statements.insertBlock.run(projectId, id, eventCount, size, createdAt, data)
      }
      for (const { eventId, slot } of moves) {
        statements.moveEvent.run(slot.blockId, slot.offset, projectId, eventId)
      }
    },
  }
}

function readRaw({ statements }: ExpiryRun, projectId: number, block: WalkedBlock): Uint8Array | undefined {
  const row = statements.readBlock.get(projectId, block.id)
  try {
    const raw = inflateBlock({ data: toBytes(row?.['data']), rawBytes: block.rawBytes })
    return raw.byteLength === block.rawBytes ? raw : undefined
  } catch {
    return undefined
  }
}
