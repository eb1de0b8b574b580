import { randomInt } from 'node:crypto'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { limits } from '#server/limits.ts'

/** The position of an event's payload in a block. */
export interface BlockSlot {
  blockId: number
  /** Byte offset in the decompressed block. */
  offset: number
  /** Call once the event's row is written; a slot that is never filled leaves no gap. */
  fill: (payload: Uint8Array) => void
}

export interface BodyBlock {
  projectId: number
  id: number
  eventCount: number
  rawBytes: number
  /** One zstd frame. */
  data: Uint8Array
}

/**
 * Collects the payloads of one batch into blocks, each of one project and at most `limits.bodyBlockBytes`,
 * unless one payload is larger.
 */
export interface BlockBuilder {
  slotFor(projectId: number, payloadBytes: number): BlockSlot
  /** Compresses the filled slots. */
  finish(): BodyBlock[]
}

interface OpenBlock {
  projectId: number
  id: number
  rawBytes: number
  payloads: Uint8Array[]
}

/**
 * Payloads of one batch are similar, so compressing them together takes 0.9 kB and 8 µs per 6 kB event,
 * compared to 2.2 kB and 33 µs separately (measured, zstd level 1).
 */
export function createBlockBuilder(nextBlockId: () => number): BlockBuilder {
  const openBlocks = new Map<number, OpenBlock>()
  const blocks: OpenBlock[] = []

  const blockFor = (projectId: number, payloadBytes: number): OpenBlock => {
    const open = openBlocks.get(projectId)
    if (open && (open.rawBytes === 0 || open.rawBytes + payloadBytes <= limits.bodyBlockBytes)) return open
    const block = { projectId, id: nextBlockId(), rawBytes: 0, payloads: [] }
    openBlocks.set(projectId, block)
    blocks.push(block)
    return block
  }

  return {
    slotFor(projectId, payloadBytes) {
      const block = blockFor(projectId, payloadBytes)
      return {
        blockId: block.id,
        offset: block.rawBytes,
        fill(payload) {
          block.payloads.push(payload)
          block.rawBytes += payload.byteLength
        },
      }
    },
    finish: () => blocks.filter((block) => block.payloads.length > 0).map(compressBlock),
  }
}

function compressBlock(block: OpenBlock): BodyBlock {
  const data = zstdCompressSync(Buffer.concat(block.payloads, block.rawBytes), {
    params: { [constants.ZSTD_c_compressionLevel]: 1 },
  })
  const { projectId, id, rawBytes } = block
  return { projectId, id, rawBytes, eventCount: block.payloads.length, data }
}

/** All payloads of a block, concatenated. Throws if the block is damaged. */
export function inflateBlock(block: { data: Uint8Array; rawBytes: number }): Uint8Array {
  // One chunk, larger than the block: joining chunks of 16 kB takes as long again.
  const chunkSize = Math.max(constants.Z_MIN_CHUNK, block.rawBytes + 1)
  return zstdDecompressSync(block.data, { maxOutputLength: Math.max(block.rawBytes, 1), chunkSize })
}

/**
 * The payload of one event in its block, copied so that the block can be freed. Throws if the block is
 * damaged.
 */
export function readPayload(
  block: { data: Uint8Array; rawBytes: number },
  offset: number,
  length: number,
): Uint8Array {
  const raw = inflateBlock(block)
  if (offset + length > raw.byteLength) throw new RangeError('the body block ends before its event')
  return new Uint8Array(raw.subarray(offset, offset + length))
}

/** Ids per millisecond, of blocks and of rows with the same kind of id. */
export const blockIdsPerMs = 2048

/** How far ids continue to increase while the clock is behind them. Set back by more, it is trusted. */
const clockSetBackMs = 60_000

/**
 * Creates block ids: milliseconds times 2048 plus a random start, above the previous id unless the clock was
 * set back by more than a minute.
 *
 * Safe integers until the year 2109. Two processes, or one after its clock was set back, could create the
 * same id in the same millisecond: the primary key then rejects the batch, and its repetition uses new ids.
 */
export function createBlockIds(clock: () => number): () => number {
  let last = 0
  return () => {
    const start = clock() * blockIdsPerMs
    const isAhead = last >= start && last - start <= clockSetBackMs * blockIdsPerMs
    last = isAhead ? last + 1 : start + randomInt(1024)
    return last
  }
}

/** The lowest id of blocks created at this instant (Unix milliseconds) or later. */
export function firstBlockIdAt(at: number): number {
  return Math.floor(at) * blockIdsPerMs
}
