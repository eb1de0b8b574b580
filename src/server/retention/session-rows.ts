import { limits } from '#server/limits.ts'
import { dayOf } from '#time/time-steps.ts'
import type { ExpiryRun } from './expiry/run.ts'
import { deleteRows } from './row-deletion.ts'
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
  const { connection } = run.store
  const nextHour = connection.prepare(
    'SELECT max(hour) AS hour FROM counted_sessions WHERE project_id = ? AND hour < ?',
  )
  const countHour = connection.prepare(
    'SELECT count(*) AS n FROM counted_sessions WHERE project_id = ? AND hour = ?',
  )
  let total = 0
  let before = Number.MAX_SAFE_INTEGER
  await run.pacer.repeat(() => {
    const hour = nextHour.get(projectId, before)?.['hour']
    before = typeof hour === 'number' ? hour : 0
    total += Number(countHour.get(projectId, before)?.['n'])
    return before === 0 || total > maxKnown
  })
  return before
}

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
  const nextSeries = connection.prepare(
    `SELECT id FROM session_series WHERE project_id = ? AND id > ? AND first_session_at < ? ORDER BY id
     LIMIT ${seriesPerStep}`,
  )
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
  await run.pacer.repeat(() => {
    const ids = nextSeries.all(projectId, last, cutoffAt).map((row) => Number(row['id']))
    for (const { table, deleteSome } of deletions) {
      const count = Number(deleteSome(JSON.stringify(ids)).changes)
      addRows(run.report, table, count)
      if (count === rowsPerStatement) return false
    }
    last = ids.at(-1) ?? last
    return ids.length < seriesPerStep
  })
}
