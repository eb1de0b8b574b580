import { sql } from 'kysely'
import type { AlertThreshold } from '#alerts/rule.ts'
import { listWindowBuckets } from '#alerts/threshold.ts'
import { limits } from '#server/limits.ts'
import type { Db } from '#server/store/schema/database.ts'

/**
 * The windows of users, in milliseconds, whose current or previous bucket has reached
 * `limits.alertWindowUserBytes`, so that users are missing. `now` in Unix milliseconds. One statement; none
 * without a threshold of users.
 */
export async function listFullWindows(
  db: Db,
  { projectId, thresholds, now }: { projectId: number; thresholds: readonly AlertThreshold[]; now: number },
): Promise<Set<number>> {
  const windows = new Set(thresholds.flatMap(({ of, windowMs }) => (of === 'users' ? [windowMs] : [])))
  if (windows.size === 0) return new Set()
  const rows = await db
    .selectFrom('alert_windows')
    .select('window_ms')
    .where('project_id', '=', projectId)
    .where((is) =>
      is.or(
        [...windows].map((windowMs) =>
          is.and([
            is('window_ms', '=', windowMs),
            is('bucket_at', 'in', listWindowBuckets(windowMs, now, 1).slice(-2)),
          ]),
        ),
      ),
    )
    .groupBy(['window_ms', 'bucket_at'])
    .having(sql<boolean>`sum(length(user_hashes)) >= ${limits.alertWindowUserBytes}`)
    .execute()
  return new Set(rows.map(({ window_ms }) => window_ms))
}
