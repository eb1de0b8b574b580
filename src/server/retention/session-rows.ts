import { limits } from '#server/limits.ts'
import { dayOf } from '#time/time-steps.ts'
import type { ExpiryRun } from './expiry/run.ts'
import { deleteRows, readRows } from './row-deletion.ts'
import { addRows } from './run-report.ts'

/** The age limit of a project's sessions. */
interface SessionAge {
  projectId: number
  /** Counts of hours, days and releases from before this instant are deleted. Unix milliseconds. */
  cutoffAt: number
  /** Maximum number of individually stored sessions; by default `limits.countedSessionsPerProject`. */
  maxKnown?: number
}

/** Deletes old counts of sessions, and individually stored sessions that are too old or too many. */
export async function deleteOldSessions(run: ExpiryRun, age: SessionAge): Promise<void> {
  await deleteCountedSessions(run, age)
  await deleteOldCounts(run, age)
  // Deletes what is left of each series: the users of all days, and counts that were written meanwhile.
  const series = { table: 'session_series', key: ['version', 'environment'], rowsPerStatement: 2 }
  const where = 'project_id = ? AND last_session_at < ?'
  await deleteRows(run, { ...series, where }, [age.projectId, age.cutoffAt])
}

/** Runs before the counts: the hour of a session that still has its own row always exists. */
async function deleteCountedSessions(run: ExpiryRun, age: SessionAge): Promise<void> {
  const { projectId, cutoffAt } = age
  const surplusBefore = await findSurplus(run, age)
  const before = Math.max(run.now - limits.sessionAgeMs, cutoffAt, surplusBefore)
  const rows = { table: 'counted_sessions', key: ['hour', 'series_id', 'sid'], rowsPerStatement: 500 }
  await deleteRows(run, { ...rows, where: 'project_id = ? AND hour < ?' }, [projectId, before])
}

/** The instant before which sessions are above the limit; 0 if none are. Counted by hour, newest first. */
async function findSurplus(
  run: ExpiryRun,
  { projectId, maxKnown = limits.countedSessionsPerProject }: SessionAge,
): Promise<number> {
  let total = 0
  let before = Number.MAX_SAFE_INTEGER
  do {
    const [row] = await readRows(run, newestHour, [projectId, projectId, before])
    if (row === undefined) return 0
    before = Number(row['hour'])
    total += Number(row['session_count'])
  } while (total <= maxKnown)
  return before
}

const newestHour = `SELECT hour, count(*) AS session_count FROM counted_sessions WHERE project_id = ?
  AND hour = (SELECT max(hour) FROM counted_sessions WHERE project_id = ? AND hour < ?) GROUP BY hour`

/** Days are deleted as a whole: some users of the day with the limit may be from after it. */
const countTables = [
  { table: 'session_hours', where: 'hour < ?2', key: 'hour', toLimit: (at: number) => at },
  { table: 'session_days', where: 'day < ?2', key: 'day', toLimit: dayOf },
  {
    table: 'session_users',
    where: 'day > 0 AND day < ?2',
    key: 'day, is_crashed, user_hash',
    toLimit: dayOf,
  },
]

const rowsPerStatement = 500
const seriesPerStep = 500

/**
 * Series by series, because age is the last part of the keys; many at a time, because each statement is a
 * round trip to a server.
 */
async function deleteOldCounts(run: ExpiryRun, { projectId, cutoffAt }: SessionAge): Promise<void> {
  const { connection, engine } = run.store
  const nextSeries = `SELECT id FROM session_series WHERE project_id = ? AND id > ? AND first_session_at < ? ORDER BY id
    LIMIT ${seriesPerStep}`
  const deletions = countTables.map(({ table, where, key, toLimit }) => {
    const statement = connection.prepare(
      engine.deletionOf({
        table,
        key: ['series_id', key],
        where: `project_id = ?1 AND ${where}`,
        ofEach: { column: 'series_id', parameter: '?3' },
        maxCount: rowsPerStatement,
      }),
    )
    return { table, deleteSome: (ids: string) => statement.run(projectId, toLimit(cutoffAt), ids) }
  })
  let last = 0
  for (;;) {
    const rows = await readRows(run, nextSeries, [projectId, last, cutoffAt])
    if (rows.length === 0) return
    const ids = JSON.stringify(rows.map(({ id }) => Number(id)))
    await run.pacer.repeat(() =>
      deletions.every(({ table, deleteSome }) => {
        const count = Number(deleteSome(ids).changes)
        addRows(run.report, table, count)
        return count < rowsPerStatement
      }),
    )
    if (rows.length < seriesPerStep) return
    last = Number(rows.at(-1)?.['id'])
  }
}
