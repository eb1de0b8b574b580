import { createHash } from 'node:crypto'
import { limits } from '#server/limits.ts'
import type { Store } from '#server/store/store.ts'

/**
 * An upload that could not be assembled is a row of `artifact_chunks`, in place of its chunks: retention
 * deletes it with them. Its key has 32 bytes, and checksums have 20.
 */
function keyOf(name: string): Uint8Array {
  return createHash('sha256').update(name).digest()
}

/** Stores why an upload could not be assembled, until `takeFailedUpload`. `name` identifies the upload. */
export async function recordFailedUpload(
  { writer, clock }: Store,
  { organizationId, name, problem }: { organizationId: number; name: string; problem: string },
): Promise<void> {
  const data = Buffer.from(problem)
  const failed = { received_at: clock(), byte_count: data.byteLength, data }
  await writer
    .insertInto('artifact_chunks')
    .values({ organization_id: organizationId, checksum: keyOf(name), ...failed })
    .onConflict((conflict) => conflict.columns(['organization_id', 'checksum']).doUpdateSet(failed))
    .execute()
}

/**
 * Why an upload could not be assembled within the last `limits.assembleResultMs`, in any process. Returned
 * once, because a retry sends its chunks again.
 */
export async function takeFailedUpload(
  { db, writer, clock }: Store,
  { organizationId, name }: { organizationId: number; name: string },
): Promise<string | undefined> {
  const key = keyOf(name)
  const row = await db
    .selectFrom('artifact_chunks')
    .select(['data', 'received_at'])
    .where('organization_id', '=', organizationId)
    .where('checksum', '=', key)
    .executeTakeFirst()
  if (row === undefined) return undefined
  await writer
    .deleteFrom('artifact_chunks')
    .where('organization_id', '=', organizationId)
    .where('checksum', '=', key)
    .execute()
  const isOld = clock() - row.received_at > limits.assembleResultMs
  return isOld ? undefined : Buffer.from(row.data).toString()
}
