import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import type { Db } from '#server/store/schema/database.ts'

/** The location of an event's payload. */
export interface PayloadLocation {
  block_id: number
  block_offset: number
  block_length: number
}

const inflate = promisify(zstdDecompress)

/**
 * The payloads of events of a project, in the order of the rows. One statement, which reads each block once:
 * under load many events of a page share a block. Blocks are decompressed in other threads. Throws for a
 * damaged block, unless its events may be `empty`.
 */
export async function readPayloads(
  db: Db,
  {
    projectId,
    rows,
    onDamage = 'throw',
  }: { projectId: number; rows: readonly PayloadLocation[]; onDamage?: 'throw' | 'empty' },
): Promise<Uint8Array[]> {
  const blockIds = [...new Set(rows.map((row) => row.block_id))]
  if (blockIds.length === 0) return []
  const blocks = await db
    .selectFrom('body_blocks')
    .select(['id', 'data', 'raw_bytes'])
    .where('project_id', '=', projectId)
    .where('id', 'in', blockIds)
    .execute()
  const inflated = await Promise.all(
    blocks.map(async ({ id, data, raw_bytes }) => {
      const block = inflate(data, { maxOutputLength: Math.max(raw_bytes, 1) })
      return [id, await (onDamage === 'throw' ? block : block.catch(() => new Uint8Array()))] as const
    }),
  )
  const byId = new Map(inflated)
  return rows.map(({ block_id, block_offset, block_length }) =>
    (byId.get(block_id) ?? new Uint8Array()).subarray(block_offset, block_offset + block_length),
  )
}
