import type { Db } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'

/** A chunk of an upload. */
export interface ArtifactChunk {
  /** SHA-1 of its bytes. */
  checksum: Uint8Array
  data: Uint8Array
}

/** A chunk that has not been assembled yet. */
export interface WaitingChunk {
  /** SHA-1 of its bytes, lower-case hex. */
  checksum: string
  byteCount: number
}

/** Which of these chunks of an organization are stored. One statement. */
export async function listWaitingChunks(
  db: Db,
  organizationId: number,
  checksums: readonly string[],
): Promise<WaitingChunk[]> {
  if (checksums.length === 0) return []
  const rows = await db
    .selectFrom('artifact_chunks')
    .select(['checksum', 'byte_count'])
    .where('organization_id', '=', organizationId)
    .where(
      'checksum',
      'in',
      checksums.map((checksum) => Buffer.from(checksum, 'hex')),
    )
    .execute()
  return rows.map(({ checksum, byte_count: byteCount }) => ({
    checksum: Buffer.from(checksum).toString('hex'),
    byteCount,
  }))
}

/** The bytes of all chunks of an organization that have not been assembled. One statement. */
export async function sumWaitingChunks(db: Db, organizationId: number): Promise<number> {
  const row = await db
    .selectFrom('artifact_chunks')
    .select((of) => of.fn.sum<number | null>('byte_count').as('bytes'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return row?.bytes ?? 0
}

/** Stores a chunk. If it exists already, its expiry is extended from now. */
export async function recordArtifactChunk(
  store: Store,
  organizationId: number,
  { checksum, data }: ArtifactChunk,
): Promise<void> {
  const receivedAt = store.clock()
  await store.writer
    .insertInto('artifact_chunks')
    .values({
      organization_id: organizationId,
      checksum,
      received_at: receivedAt,
      byte_count: data.byteLength,
      data,
    })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'checksum']).doUpdateSet({ received_at: receivedAt }),
    )
    .execute()
}

/** The bytes of a chunk; undefined if it is not stored. One statement. */
export async function findArtifactChunk(
  db: Db,
  organizationId: number,
  checksum: string,
): Promise<Uint8Array | undefined> {
  const row = await db
    .selectFrom('artifact_chunks')
    .select('data')
    .where('organization_id', '=', organizationId)
    .where('checksum', '=', Buffer.from(checksum, 'hex'))
    .executeTakeFirst()
  return row?.data
}

/** Deletes chunks from which a bundle was assembled. */
export async function deleteArtifactChunks(
  store: Store,
  organizationId: number,
  checksums: readonly string[],
): Promise<void> {
  for (const checksum of checksums) {
    // One at a time: each frees some hundred pages.
    await store.writer
      .deleteFrom('artifact_chunks')
      .where('organization_id', '=', organizationId)
      .where('checksum', '=', Buffer.from(checksum, 'hex'))
      .execute()
  }
}
