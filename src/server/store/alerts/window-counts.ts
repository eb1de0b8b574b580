import type { Kysely } from 'kysely'
import type { AlertThreshold } from '#alerts/rule.ts'
import { startOfWindow } from '#alerts/threshold.ts'
import type { WindowCounts } from '#alerts/threshold.ts'
import type { Database } from '#server/store/schema/database.ts'
import { countUsers } from './window-users.ts'

/** Nothing was counted. */
export const noCounts: WindowCounts = { count: 0, formerCount: 0 }

/** A window of a project, or of one of its issues, that ends now. Times in Unix milliseconds. */
export interface CountedWindow {
  projectId: number
  issueId?: number
  windowMs: number
  of: AlertThreshold['of']
  now: number
  /** Only issues with so many in the window; the one before is not read then. */
  atLeast?: number
}

/** What was counted in a window and in the one before, by issue. One statement. */
export async function readWindowCounts(
  db: Kysely<Database>,
  { projectId, issueId, windowMs, of, now, atLeast }: CountedWindow,
): Promise<Map<number, WindowCounts>> {
  const startsAt = startOfWindow(windowMs, now)
  const rows = db
    .selectFrom('alert_windows')
    .where('project_id', '=', projectId)
    .where('window_ms', '=', windowMs)
    .where('bucket_at', '>=', atLeast === undefined ? startsAt - windowMs : startsAt)
    .$if(issueId !== undefined, (query) => query.where('issue_id', '=', issueId ?? 0))
  if (of === 'events') {
    const sums = await rows
      .select((is) => [
        'issue_id',
        is.fn
          .sum<number>(is.case().when('bucket_at', '>=', startsAt).then(is.ref('event_count')).else(0).end())
          .as('event_count'),
        is.fn.sum<number>('event_count').as('both_counts'),
      ])
      .groupBy('issue_id')
      .$if(atLeast !== undefined, (query) =>
        query.having((is) => is.fn.sum<number>('event_count'), '>=', atLeast ?? 0),
      )
      .execute()
    return new Map(
      sums.map((row) => {
        const count = row.event_count
        return [row.issue_id, { count, formerCount: row.both_counts - count }]
      }),
    )
  }
  const parts = await rows
    .select(['issue_id', 'bucket_at', 'user_hashes'])
    .where('user_hashes', 'is not', null)
    .execute()
  const usersOf = (list: typeof parts) => countUsers(list.flatMap(({ user_hashes }) => user_hashes ?? []))
  const byIssue = [...Map.groupBy(parts, (row) => row.issue_id)].map(
    ([id, ofIssue]): [number, WindowCounts] => [
      id,
      {
        count: usersOf(ofIssue.filter((row) => row.bucket_at >= startsAt)),
        formerCount: usersOf(ofIssue.filter((row) => row.bucket_at < startsAt)),
      },
    ],
  )
  return new Map(byIssue)
}
