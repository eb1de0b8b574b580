import { fromIdBytes, toIdBytes } from '#server/store/binary-id.ts'
import type { Db } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import type { DiscardedHash } from './records.ts'

/** Sentry's name for the reason, under the outcome `filtered`. */
export const discardedHashReason = 'discarded-hash'

/** The issue id in rows of discarded hashes; no issue has it. */
export const discardedIssueId = 0

/** The discarded hashes of a project, newest first. One statement. */
export async function listDiscardedHashes(db: Db, projectId: number): Promise<DiscardedHash[]> {
  const rows = await db
    .selectFrom('discarded_hashes as d')
    .leftJoin('users as u', 'u.id', 'd.user_id')
    .select(['d.hash', 'd.title', 'd.subtitle', 'd.discarded_at', 'u.name'])
    .where('d.project_id', '=', projectId)
    .orderBy('d.discarded_at', 'desc')
    .orderBy('d.hash')
    .execute()
  return rows.map((row) => ({
    hash: fromIdBytes(row.hash),
    title: row.title,
    subtitle: row.subtitle,
    discardedAt: row.discarded_at,
    userName: row.name ?? '',
  }))
}

/** Stops discarding the events of a hash: the next one opens an issue. False if it was not discarded. */
export function revokeDiscard(
  store: Store,
  { projectId, hash }: { projectId: number; hash: string },
): Promise<boolean> {
  const bytes = toIdBytes(hash)
  return store.writer.transaction().execute(async (tx) => {
    await tx
      .deleteFrom('issue_hashes')
      .where('project_id', '=', projectId)
      .where('hash', '=', bytes)
      .where('issue_id', '=', discardedIssueId)
      .execute()
    const { numDeletedRows } = await tx
      .deleteFrom('discarded_hashes')
      .where('project_id', '=', projectId)
      .where('hash', '=', bytes)
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  })
}
