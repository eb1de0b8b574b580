import type { AlertThreshold } from '#alerts/rule.ts'
import { listWindowBuckets, startOfWindow, type WindowCounts } from '#alerts/threshold.ts'
import type { Db } from '#server/store/schema/database.ts'
import { countUsers } from './window-users.ts'

/** Counts of zero. */
export const noCounts: WindowCounts = { count: 0, formerCount: 0 }

/** A window of an issue that ends now, in Unix milliseconds. */
export interface CountedWindow extends Pick<AlertThreshold, 'of' | 'unit' | 'windowMs'> {
  projectId: number
  issueId: number
  now: number
}

/** The count of a window; for a percentage, also that of the window before. One statement. */
export async function readWindowCounts(
  db: Db,
  { projectId, issueId, windowMs, of, unit, now }: CountedWindow,
): Promise<WindowCounts> {
  const startsAt = startOfWindow(windowMs, now)
  const rows = db
    .selectFrom('alert_windows')
    .where('project_id', '=', projectId)
    .where('window_ms', '=', windowMs)
    .where('bucket_at', 'in', listWindowBuckets(windowMs, now, unit === 'count' ? 1 : 2))
    .where('issue_id', '=', issueId)
  if (of === 'events') {
    const counted = await rows.select(['bucket_at', 'event_count']).execute()
    const sum = (isCurrent: boolean) =>
      counted.reduce(
        (total, row) => (row.bucket_at >= startsAt === isCurrent ? total + row.event_count : total),
        0,
      )
    return { count: sum(true), formerCount: sum(false) }
  }
  const parts = await rows.select(['bucket_at', 'user_hashes']).where('user_hashes', 'is not', null).execute()
  const usersOf = (isCurrent: boolean) =>
    countUsers(
      parts.flatMap((row) => (row.bucket_at >= startsAt === isCurrent ? (row.user_hashes ?? []) : [])),
    )
  return { count: usersOf(true), formerCount: usersOf(false) }
}
