import { resolve } from 'node:path'
import { errorMessage, OperatorError, SchemaError } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { SchemaMismatchError } from '#server/store/engine/migrations.ts'
import { databaseName } from '#server/store/engine/postgres/url.ts'
import { openStore } from '#server/store/store.ts'
import { hasInstallation } from './installation.ts'
import { openDataDir, type DataDir, type OpenDataDirOptions } from './open.ts'

/** The location of an installation: a PostgreSQL database if its URL is set, otherwise a data directory. */
export interface InstallationLocation {
  dataDir: string
  databaseUrl?: string
  /** The URL of a replica of that database, for reads. */
  readDatabaseUrl?: string
}

/** An open installation. A PostgreSQL database has no `setAside`: its server repairs it. */
export type OpenInstallation = Omit<DataDir, 'claim'> & { claim: Omit<DataDir['claim'], 'release'> }

/** Opens the store of an installation, or creates it. Throws an `OperatorError` if it is unusable. */
export async function openInstallation(
  { dataDir, databaseUrl, readDatabaseUrl: readUrl }: InstallationLocation,
  options: Omit<OpenDataDirOptions, 'dataDir'>,
): Promise<OpenInstallation> {
  if (databaseUrl === undefined) return openDataDir({ dataDir, ...options })
  const { setsDamageAside: _ofFiles, ...storeOptions } = options
  try {
    const store = await openStore({
      path: databaseUrl,
      onConnectFailure: createRefusalLog(databaseUrl, storeOptions.log),
      readUrl,
      ...storeOptions,
    })
    // Processes on other machines may have it open at any time.
    const claim = { wasAlone: false, lead: () => true }
    return { store, claim, close: () => store.close() }
  } catch (error) {
    if (error instanceof SchemaMismatchError) throw new SchemaError(`${capitalize(error.message)}.`)
    throw new OperatorError(describeDatabaseFailure(error, databaseUrl))
  }
}

/** Throws an `OperatorError` if there is no installation, so that no command creates one by mistake. */
export function requireInstallation({ dataDir, databaseUrl }: InstallationLocation): void {
  if (databaseUrl !== undefined || hasInstallation(dataDir)) return
  throw new OperatorError(
    `No Culvert installation in ${resolve(dataDir)}. ` +
      'Set CULVERT_DATA_DIR to the data directory of your installation, or start the server once with "npm start".',
  )
}

/** Throws an `OperatorError` if the installation is not in a data directory, which the command needs. */
export function requireDataDir(location: InstallationLocation, insteadUse: string): void {
  rejectDatabaseUrl(location, insteadUse)
  requireInstallation(location)
}

/** The same for a data directory that may be empty. */
export function rejectDatabaseUrl({ databaseUrl }: InstallationLocation, insteadUse: string): void {
  if (databaseUrl === undefined) return
  throw new OperatorError(
    `This command works on the data directory of SQLite. DATABASE_URL is set: ${insteadUse}`,
  )
}

/** Solutions by SQLSTATE or error code of the operating system. */
const remedies: readonly (readonly [start: string, remedy: string])[] = [
  ['28', 'Check the user and the password in DATABASE_URL.'],
  ['3D000', 'Create the database, or check its name in DATABASE_URL.'],
  ['42501', 'The user must own the database or have the privilege CREATE on its schema.'],
  [
    '25006',
    'DATABASE_URL must name the primary server, and default_transaction_read_only must be off for its user.',
  ],
  ['53300', 'The server has no connection left: raise max_connections, or put PgBouncer in front of it.'],
  ['08', 'Check that DATABASE_URL names a PostgreSQL server, and that the server runs.'],
  ['53100', 'The disk of the server is full.'],
  ['57P03', 'The server is starting or stopping: try again.'],
  ['TLS', 'Check sslmode and sslrootcert in DATABASE_URL: docs/postgresql.md#tls.'],
  ['E', 'Check the host and the port in DATABASE_URL, and that the server runs and accepts connections.'],
]

/** The codes of refusals that last until an operator changes something. */
const lastingCodes = ['28', '3D000', '42501', '53300']

/** Logs each reason for which the server refuses connections at most every `limits.refusalLogMs`. */
function createRefusalLog(databaseUrl: string, log: OpenDataDirOptions['log']): (error: unknown) => void {
  const loggedAt = new Map<string, number>()
  return (error) => {
    const code = codeOf(error)
    if (!lastingCodes.some((start) => code.startsWith(start))) return
    const now = performance.now()
    if (now - (loggedAt.get(code) ?? Number.NEGATIVE_INFINITY) < limits.refusalLogMs) return
    loggedAt.set(code, now)
    log?.error({}, describeDatabaseFailure(error, databaseUrl))
  }
}

/** Describes why a database cannot be used, with the solution. */
export function describeDatabaseFailure(error: unknown, databaseUrl: string): string {
  const code = codeOf(error) || codeOf(error instanceof Error ? error.cause : undefined)
  const [, remedy] = remedies.find(([start]) => code.startsWith(start)) ?? []
  const problem = `The database ${databaseName(databaseUrl)} cannot be opened: ${errorMessage(error)}.`
  return remedy === undefined ? problem : `${problem} ${remedy}`
}

/** Error codes of certificates have no common prefix. The only files that are opened are certificates. */
function codeOf(error: unknown): string {
  if (/\bSSL\b|certificate|^E[A-Z]+: .*, open '/i.test(errorMessage(error))) return 'TLS'
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
