import { limits } from '#server/limits.ts'
import type { ExpiryRun } from './expiry/run.ts'
import { hasRows } from './row-deletion.ts'
import { addRows } from './run-report.ts'

const rowsPerStatement = 200

/** Deletes sessions of users that have ended unused: they contain an address and a user agent. */
export async function deleteEndedSessions(run: ExpiryRun): Promise<void> {
  const where = 'updated_at < ?'
  const statement = run.store.connection.prepare(
    `DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE ${where} LIMIT ${rowsPerStatement})`,
  )
  const cutoff = new Date(run.now - limits.sessionIdleMs).toISOString()
  if (!(await hasRows(run, { table: 'sessions', where }, [cutoff]))) return
  await run.pacer.repeat(() => {
    const count = Number(statement.run(cutoff).changes)
    addRows(run.report, 'sessions', count)
    return count < rowsPerStatement
  })
}
