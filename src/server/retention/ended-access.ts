import { limits } from '#server/limits.ts'
import type { ExpiryRun } from './expiry/run.ts'
import { hasRows } from './row-deletion.ts'
import { addRows } from './run-report.ts'

const rowsPerStatement = 200

/**
 * Deletes rows that expired long ago and give no access any more: sessions, which contain an address and a
 * user agent, unfinished sign-ins at the identity provider, and links for new passwords. Invitations are
 * kept, because the settings list expired ones.
 */
export async function deleteEndedAccess(run: ExpiryRun): Promise<void> {
  const at = run.now - limits.sessionIdleMs
  const text = new Date(at).toISOString()
  const isPassword = `purpose = 'password' AND expires_at < ?`
  await deleteEnded(run, { table: 'sessions', key: 'id', where: 'updated_at < ?' }, text)
  await deleteEnded(run, { table: 'verifications', key: 'id', where: 'expires_at < ?' }, text)
  await deleteEnded(run, { table: 'account_links', key: 'token_hash', where: isPassword }, at)
}

async function deleteEnded(
  run: ExpiryRun,
  { table, key, where }: { table: string; key: string; where: string },
  cutoff: string | number,
): Promise<void> {
  const some = `SELECT ${key} FROM ${table} WHERE ${where} LIMIT ${rowsPerStatement}`
  const statement = run.store.connection.prepare(`DELETE FROM ${table} WHERE ${key} IN (${some})`)
  if (!(await hasRows(run, { table, where }, [cutoff]))) return
  await run.pacer.repeat(() => {
    const count = Number(statement.run(cutoff).changes)
    addRows(run.report, table, count)
    return count < rowsPerStatement
  })
}
