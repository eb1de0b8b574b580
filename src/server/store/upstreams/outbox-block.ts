import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { limits } from '#server/limits.ts'
import type { OutboxEntry } from '#server/store/ingest/records.ts'

/** An envelope with its number in the queue of its upstream. */
export interface NumberedEntry {
  number: number
  entry: OutboxEntry
}

/** Envelopes of one category whose bytes are stored together; its number is that of its first envelope. */
export interface OutboxBlock {
  /** In the order of their numbers. */
  entries: NumberedEntry[]
  rawBytes: number
}

/**
 * Splits the envelopes of one upstream into blocks of one category each: otherwise a block with a
 * rate-limited envelope would keep the bytes of all others. A block has at most `limits.outboxBlockBytes`,
 * unless one envelope is larger, because blocks are decompressed as a whole.
 */
export function toOutboxBlocks(numbered: readonly NumberedEntry[]): OutboxBlock[] {
  const blocks: OutboxBlock[] = []
  const open = new Map<string, OutboxBlock>()
  for (const each of numbered) {
    const { category, body } = each.entry
    const known = open.get(category)
    if (known !== undefined && known.rawBytes + body.byteLength <= limits.outboxBlockBytes) {
      known.entries.push(each)
      known.rawBytes += body.byteLength
      continue
    }
    const block = { entries: [each], rawBytes: body.byteLength }
    open.set(category, block)
    blocks.push(block)
  }
  return blocks
}

/** The stored bytes of a block: one zstd frame with a checksum. */
export function deflateOutboxBlock({ entries, rawBytes }: OutboxBlock): Uint8Array {
  const bodies = entries.map(({ entry }) => entry.body)
  return zstdCompressSync(Buffer.concat(bodies, rawBytes), {
    params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
  })
}

/** The decompressed bytes of a block; undefined if it is damaged. */
export function inflateOutboxBlock(data: Uint8Array, rawBytes: number): Uint8Array | undefined {
  try {
    const bytes = zstdDecompressSync(data, { maxOutputLength: Math.max(rawBytes, 1) })
    return bytes.byteLength === rawBytes ? bytes : undefined
  } catch {
    return undefined
  }
}
