import { setImmediate as nextTick } from 'node:timers/promises'
import { sql } from 'kysely'
import type { AlertThreshold } from '#alerts/rule.ts'
import { listWindowBuckets, startOfWindow, type WindowCounts } from '#alerts/threshold.ts'
import { limits } from '#server/limits.ts'
import type { Db } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { readWindowCounts } from './window-counts.ts'
import { fullUserBytes, hashBytes } from './window-users.ts'

/** A window of a project that ends now, with the needed precision. */
export interface SlicedWindow extends Pick<AlertThreshold, 'of' | 'unit' | 'windowMs'> {
  projectId: number
  /** The lowest threshold. */
  atLeast: number
  /** Unix milliseconds. */
  now: number
}

/** The counts of issues in a range of ids. Issues that are missing have less than half of a threshold. */
export interface WindowSlice extends IssueRange {
  counts: Map<number, WindowCounts>
}

interface IssueRange {
  after: number
  upTo: number
}

const lastIssueId = Number.MAX_SAFE_INTEGER

/**
 * Reads the counts of a window, some hundred issues at a time, and yields in between: a window may have
 * `limits.alertWatchedIssues` in each of its buckets.
 */
export async function* readWindowSlices(db: Db, window: SlicedWindow): AsyncGenerator<WindowSlice> {
  let range: IssueRange = { after: 0, upTo: 0 }
  while (range.upTo < lastIssueId) {
    range = { after: range.upTo, upTo: await findEndOfSlice(db, window, range.upTo) }
    const counts =
      window.of === 'events' ? await readEvents(db, window, range) : await readUsers(db, window, range)
    yield { ...range, counts }
    await nextTick()
  }
}

/** A threshold by count does not compare with the previous window. */
function bucketsOf({ windowMs, unit, now }: SlicedWindow): number[] {
  return listWindowBuckets(windowMs, now, unit === 'count' ? 1 : 2)
}

/** Hashes of users take up to 4 kB per row. */
function sizeOf({ of }: SlicedWindow): number {
  return of === 'events' ? limits.alertIssuesCompared : limits.alertIssuesOfUsersCompared
}

/**
 * The end of a slice in which each bucket has at most `limits.alertIssuesCompared` issues, and at most as
 * many thresholds have fired. One statement, which reads only the index.
 */
async function findEndOfSlice(db: Db, window: SlicedWindow, after: number): Promise<number> {
  const { projectId, windowMs } = window
  const ends = bucketsOf(window).map(
    (bucketAt) => sql`select * from (select issue_id from alert_windows
      where project_id = ${projectId} and window_ms = ${windowMs} and bucket_at = ${bucketAt}
        and issue_id > ${after} order by issue_id limit 1 offset ${sizeOf(window) - 1}) as ended`,
  )
  // Includes issues that are no longer in the window.
  ends.push(sql`select * from (select issue_id from alert_thresholds where project_id = ${projectId}
    and issue_id > ${after} order by issue_id limit 1 offset ${limits.alertIssuesCompared - 1}) as ended`)
  const { rows } = await sql<{ up_to: number | null }>`
    select min(issue_id) as up_to from (${sql.join(ends, sql` union all `)}) as ends`.execute(db)
  return rows[0]?.up_to ?? lastIssueId
}

function selectSlice(db: Db, window: SlicedWindow, { after, upTo }: IssueRange) {
  return db
    .selectFrom('alert_windows')
    .where('project_id', '=', window.projectId)
    .where('window_ms', '=', window.windowMs)
    .where('bucket_at', 'in', bucketsOf(window))
    .where('issue_id', '>', after)
    .where('issue_id', '<=', upTo)
    .groupBy('issue_id')
    .select('issue_id')
}

async function readEvents(db: Db, window: SlicedWindow, range: IssueRange): Promise<WindowSlice['counts']> {
  const { unit, atLeast, windowMs, now } = window
  const startsAt = startOfWindow(windowMs, now)
  const count = sql<number>`sum(case when bucket_at >= ${startsAt} then event_count else 0 end)`
  const both = sql<number>`sum(event_count)`
  const rows = await selectSlice(db, window, range)
    .select([count.as('event_count'), both.as('both_counts')])
    .having(
      unit === 'count'
        ? sql<boolean>`sum(event_count) >= ${atLeast / 2}`
        : sql<boolean>`${count} > 0 and ${count} * 200.0 >= (${both} - ${count}) * ${atLeast}`,
    )
    .execute()
  return new Map(
    rows.map((row) => [
      row.issue_id,
      { count: row.event_count, formerCount: row.both_counts - row.event_count },
    ]),
  )
}

/** Reads only issues whose buckets have enough users in total: their hashes take 4 kB per bucket. */
async function readUsers(db: Db, window: SlicedWindow, range: IssueRange): Promise<WindowSlice['counts']> {
  const { unit, atLeast, projectId, windowMs, of, now } = window
  const bytes = sql`sum(case when bucket_at >= ${startOfWindow(windowMs, now)} then length(user_hashes) else 0 end)`
  const rows = await selectSlice(db, window, range)
    .having(
      unit === 'count'
        ? sql<boolean>`${bytes} >= ${(atLeast / 2) * hashBytes} or max(length(user_hashes)) >= ${fullUserBytes}`
        : sql<boolean>`${bytes} > 0`,
    )
    .execute()
  const counts: WindowSlice['counts'] = new Map()
  for (const { issue_id: issueId } of rows) {
    counts.set(issueId, await readWindowCounts(db, { projectId, issueId, windowMs, of, now, unit }))
    await nextTick()
  }
  return counts
}

/**
 * Deletes counts that no window needs any more, a few hundred at a time. Called once per window, it leaves
 * the counts of at most three windows. Retention deletes the remaining counts of deleted rules.
 */
export async function deleteOldCounts(
  store: Store,
  { projectId, windowMs, now }: { projectId: number; windowMs: number; now: number },
): Promise<void> {
  const before = startOfWindow(windowMs, now) - windowMs
  for (;;) {
    const last = await store.db
      .selectFrom('alert_windows')
      .where('project_id', '=', projectId)
      .where('window_ms', '=', windowMs)
      .where('bucket_at', '<', before)
      .select(['bucket_at', 'issue_id'])
      .orderBy('bucket_at')
      .orderBy('issue_id')
      .limit(1)
      .offset(limits.alertWindowRowsDeleted - 1)
      .executeTakeFirst()
    const { numDeletedRows } = await store.writer
      .deleteFrom('alert_windows')
      .where('project_id', '=', projectId)
      .where('window_ms', '=', windowMs)
      .where('bucket_at', '<', before)
      .$if(last !== undefined, (query) =>
        query.where(sql<boolean>`(bucket_at, issue_id) <= (${last?.bucket_at}, ${last?.issue_id})`),
      )
      .executeTakeFirst()
    if (last === undefined || numDeletedRows === 0n) return
    await nextTick()
  }
}
