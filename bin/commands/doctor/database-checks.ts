import type { Diagnosis } from '#server/data-dir/diagnosis.ts'
import { describeDatabaseFailure } from '#server/data-dir/open-installation.ts'
import type { Env } from '#server/env.ts'
import { limits } from '#server/limits.ts'
import { oldestServerNumber } from '#server/store/engine/postgres/apply-migrations.ts'
import { inspectPostgres, type PostgresInspection } from '#server/store/engine/postgres/inspect.ts'
import { databaseName } from '#server/store/engine/postgres/url.ts'
import { isLowSpace } from '#server/store/engine/sqlite/free-space.ts'
import { sizeText } from '../size-text.ts'
import { ok, problem, warning, type Check } from './check.ts'

/** The checks of a PostgreSQL database, and whether its tables can be read. */
export async function checkPostgres(
  url: string,
  env: Pick<Env, 'maxBytes'>,
): Promise<{ checks: Check[]; isReadable: boolean }> {
  let found: PostgresInspection
  try {
    found = await inspectPostgres(url)
  } catch (error) {
    return { checks: [problem('Database', describeDatabaseFailure(error, url))], isReadable: false }
  }
  const checks = [
    serverCheck(url, found),
    schemaCheck(found),
    privilegesCheck(found),
    poolerCheck(found),
    postgresClockCheck(found),
    budgetCheck(found.usedBytes, env.maxBytes),
  ]
  return {
    checks,
    isReadable: found.mismatch === undefined && found.schemaVersion === found.ownSchemaVersion,
  }
}

function serverCheck(url: string, { serverVersion, serverVersionNumber }: PostgresInspection): Check {
  const text = `PostgreSQL ${serverVersion}, ${databaseName(url)}`
  if (serverVersionNumber >= oldestServerNumber) return ok('Database', text)
  return problem('Database', `${text}, is too old`, 'Upgrade the server to PostgreSQL 15 or later.')
}

function schemaCheck({ schemaVersion, ownSchemaVersion, mismatch }: PostgresInspection): Check {
  if (mismatch !== undefined) return problem('Schema', `The database ${mismatch}.`)
  if (schemaVersion === ownSchemaVersion) return ok('Schema', `version ${schemaVersion}`)
  return warning(
    'Schema',
    schemaVersion === 0 ? 'no tables yet' : `version ${schemaVersion}, this Culvert has ${ownSchemaVersion}`,
    'Run "culvert migrate", or start the server.',
  )
}

function privilegesCheck({ writeProblem, canCreateTables }: PostgresInspection): Check {
  if (writeProblem !== undefined)
    return problem(
      'Privileges',
      writeProblem,
      'Set DATABASE_URL to the primary server and the owner of the tables.',
    )
  if (canCreateTables) return ok('Privileges', 'the user can write and create tables')
  return warning(
    'Privileges',
    'the user cannot create tables',
    'Required by the next upgrade: GRANT CREATE on the schema, or run "culvert migrate" as its owner.',
  )
}

function poolerCheck({ sharesSessions, hasNamedStatements, avoidsNames }: PostgresInspection): Check {
  const name = 'Pool mode'
  if (!hasNamedStatements && !avoidsNames)
    return problem(
      name,
      'a pooler gives each transaction another session, without prepared statements',
      'Add pgbouncer=true to DATABASE_URL, or set max_prepared_statements of PgBouncer 1.21 or later.',
    )
  if (sharesSessions)
    return ok(name, `a transaction pooler, statements ${avoidsNames ? 'without' : 'with'} names`)
  if (avoidsNames)
    return warning(
      name,
      'connected without a pooler, but pgbouncer=true is in DATABASE_URL',
      'Remove it: the server parses each statement again.',
    )
  return ok(name, 'each connection has its own session')
}

function postgresClockCheck({ clockOffsetMs }: PostgresInspection): Check {
  return clockCheck('Clock', Math.round(clockOffsetMs), 'the database server')
}

/** Compares the clock of this machine with another one. */
export function clockCheck(name: string, offsetMs: number, other: string): Check {
  if (Math.abs(offsetMs) < limits.clockDifferenceMs) return ok(name, `in sync with ${other}`)
  const seconds = (Math.abs(offsetMs) / 1000).toFixed(0)
  return warning(
    name,
    `the clock of ${other} is ${seconds} s ${offsetMs > 0 ? 'ahead' : 'behind'}`,
    'Synchronize both machines with NTP.',
  )
}

function budgetCheck(usedBytes: number, maxBytes: number): Check {
  const name = 'Disk budget'
  const text = `${sizeText(usedBytes)} of ${sizeText(maxBytes)} in use`
  if (usedBytes < maxBytes) return ok(name, text)
  return warning(
    name,
    `${text}: retention deletes the oldest events`,
    'Raise CULVERT_MAX_BYTES, or shorten the retention of projects.',
  )
}

/** The checks of a data directory: its file, lock, space and schema. */
export function checkFile(diagnosis: Diagnosis, env: Pick<Env, 'maxBytes'>): Check[] {
  const { path, databaseBytes, schemaVersion, ownSchemaVersion, isInUse, space, usedBytes } = diagnosis
  const waits = schemaVersion < ownSchemaVersion
  const limitBytes = Math.min(env.maxBytes, usedBytes + (space?.freeBytes ?? Infinity))
  return [
    ...diagnosis.problems.map((text) => problem('Data', text)),
    ok('Database', `${path}, ${sizeText(databaseBytes)}, SQLite ${process.versions['sqlite'] ?? ''}`),
    ok('Lock', isInUse ? 'in use by a server or a command' : 'not in use'),
    ...(schemaVersion <= ownSchemaVersion
      ? [
          ok(
            'Schema',
            `version ${schemaVersion}${waits ? `, the next start migrates it to ${ownSchemaVersion}` : ''}`,
          ),
        ]
      : []),
    ...(isLowSpace(space)
      ? []
      : limitBytes < env.maxBytes
        ? [
            warning(
              'Disk budget',
              `CULVERT_MAX_BYTES is ${sizeText(env.maxBytes)}, but the disk has space for ${sizeText(limitBytes)}`,
              'Lower CULVERT_MAX_BYTES or enlarge the disk.',
            ),
          ]
        : [budgetCheck(usedBytes, env.maxBytes)]),
    diagnosis.lastBackup === undefined
      ? warning('Backup', 'never made', 'Run "culvert backup FILE" from a timer, to another disk.')
      : ok('Backup', `${new Date(diagnosis.lastBackup.at).toISOString()}, ${diagnosis.lastBackup.path}`),
  ]
}
