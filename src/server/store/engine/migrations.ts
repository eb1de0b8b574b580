import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** One step of the schema: a file `NNNN_name.sql` of plain SQL. */
export interface Migration {
  version: number
  name: string
  sql: string
}

/** The migrations of every engine. A version means the same change, with the same name, in each. */
export interface OwnMigrations {
  sqlite: Migration[]
  postgres: Migration[]
}

/** This version of Culvert cannot use the database's schema. The message contains the solution. */
export class SchemaMismatchError extends Error {
  override readonly name = 'SchemaMismatchError'
}

/** Defined by the build from the folders `migrations` (vite.config.ts); undefined when run from source. */
declare const __CULVERT_MIGRATIONS__: OwnMigrations | undefined

let ownMigrations: OwnMigrations | undefined

/**
 * The migrations of this version, lowest first. Run from source, it reads them from the files of the engines,
 * once; the build embeds them into a bundle.
 */
export async function readOwnMigrations(): Promise<OwnMigrations> {
  if (typeof __CULVERT_MIGRATIONS__ !== 'undefined') return __CULVERT_MIGRATIONS__
  ownMigrations ??= await readAllMigrations()
  return ownMigrations
}

async function readAllMigrations(): Promise<OwnMigrations> {
  return {
    sqlite: await readMigrations(folderOf('sqlite')),
    postgres: await readMigrations(folderOf('postgres')),
  }
}

function folderOf(engine: 'sqlite' | 'postgres'): string {
  return join(import.meta.dirname, engine, 'migrations')
}

/** Reads the migrations of a folder, lowest version first. Throws if a number is missing or used twice. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted()
  const migrations: Migration[] = []
  for (const [index, file] of files.entries()) {
    const version = Number(/^(\d{4})_[a-z0-9_]+\.sql$/.exec(file)?.[1])
    if (version !== index + 1) throw new Error(`migration ${file}: expected number ${index + 1}`)
    // One after another: a process may be allowed only few open files, and this happens once.
    migrations.push({ version, name: file.slice(0, -4), sql: await readFile(join(folder, file), 'utf8') })
  }
  return migrations
}

/**
 * The reason why the schema of a newer version cannot be used, as the rest of a sentence about the database;
 * undefined if it is not newer than the migrations.
 */
export function findNewerSchema(found: number, migrations: Migration[]): string | undefined {
  const newest = migrations.at(-1)?.version ?? 0
  if (found <= newest) return undefined
  return (
    `was written by a newer Culvert: its schema has version ${found}, this one knows ${newest}. ` +
    'Start the newer version, or restore a backup from before the upgrade'
  )
}
