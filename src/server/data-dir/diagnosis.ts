import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { isLowSpace, readFreeSpace, type FreeSpace } from '#server/store/engine/sqlite/free-space.ts'
import { readPages } from '#server/store/engine/sqlite/pages.ts'
import { lastBackupKey, parseLastBackup, type LastBackup } from '#server/store/installation/settings.ts'
import { findWrongProjectBytes, listStoredSpace, type StoredSpace } from '#server/store/projects/space.ts'
import { readUpstreamFigures, type UpstreamFigures } from '#server/store/upstreams/figures.ts'
import { findWrongUpstreamSums } from '#server/store/upstreams/sums.ts'
import { claimDataDirAlone } from './claim.ts'
import { checkDatabase, databasePath, findMismatch, openReadOnly, ownSchemaVersion } from './database-file.ts'
import { dumpSettings, readSettingsCopy, settingsCopyPath, toCopyText } from './settings-copy.ts'
import { findUpstreamProblems } from './upstream-problems.ts'

/** The state of a data directory. */
export interface Diagnosis {
  path: string
  /** Problems for the operator to solve; empty if there are none. */
  problems: string[]
  /** True if a server or a command has the directory open. */
  isInUse: boolean
  databaseBytes: number
  logBytes: number
  space?: FreeSpace
  schemaVersion: number
  ownSchemaVersion: number
  tables: TableSize[]
  /** Used bytes of the database, in total and per project. */
  usedBytes: number
  projects: (StoredSpace & { slug: string })[]
  deadLetterCount: number
  /** Events whose tags and hours are not counted yet. */
  waitingEventCount: number
  lastBackup?: LastBackup
  /** The file next to the database with projects, keys, accounts and settings. */
  settingsCopy: 'up to date' | 'out of date' | 'unreadable' | 'missing'
  /** Upstreams of projects and their queues. */
  upstreams: UpstreamFigures[]
  /** Databases that were set aside or replaced. */
  oldFiles: { name: string; bytes: number }[]
}

/** Rows of a table, and its pages with those of its indexes. */
export interface TableSize {
  name: string
  rowCount: number
  bytes: number
}

/**
 * Inspects a data directory and every page of its database, without changes. Throws an `OperatorError` if
 * there is no database. `now`: Unix milliseconds.
 */
export async function diagnose(dataDir: string, now: number): Promise<Diagnosis> {
  const path = databasePath(dataDir)
  const sqlite = openReadOnly(path)
  try {
    const check = checkDatabase(sqlite)
    const facts = {
      path,
      isInUse: readOr(() => isInUse(dataDir), false),
      databaseBytes: statSync(path).size,
      logBytes: existsSync(`${path}-wal`) ? statSync(`${path}-wal`).size : 0,
      schemaVersion: check.schemaVersion,
      ownSchemaVersion: await ownSchemaVersion(),
      ...readTables(sqlite),
      usedBytes: readOr(() => readPages(sqlite).usedBytes, 0),
      projects: readOr(() => listProjects(sqlite), []),
      upstreams: readOr(() => readUpstreamFigures({ connection: sqlite }), []),
      oldFiles: listOldFiles(dataDir),
      settingsCopy: readOr(() => compareCopy(dataDir), 'out of date' as const),
    }
    const space = readFreeSpace(dataDir)
    const mismatch = check.schemaVersion === 0 ? undefined : await findMismatch(sqlite)
    const problems = [
      ...(mismatch === undefined ? [] : [`The database ${mismatch}.`]),
      ...findProblems(facts, check.problems, space),
      ...readOr(() => findWrongUpstreamSums(sqlite), []),
      ...readOr(() => findWrongProjectBytes(sqlite), []),
      ...facts.upstreams.flatMap((figures) => findUpstreamProblems(figures, now)),
    ]
    return { ...facts, ...(space && { space }), problems }
  } finally {
    sqlite.close()
  }
}

function isInUse(dataDir: string): boolean {
  const release = claimDataDirAlone(dataDir)
  release?.()
  return release === undefined
}

function compareCopy(dataDir: string): Diagnosis['settingsCopy'] {
  const found = readSettingsCopy(settingsCopyPath(dataDir))
  if (found.kind === 'none') return 'missing'
  if (found.kind === 'unreadable') return 'unreadable'
  const isSame = toCopyText(found.copy) === toCopyText(dumpSettings(databasePath(dataDir)))
  return isSame ? 'up to date' : 'out of date'
}

type Facts = Omit<Diagnosis, 'problems' | 'space'>

function findProblems(facts: Facts, damage: string[], space: FreeSpace | undefined): string[] {
  return [
    ...damage.map((line) => `The database is damaged: ${line}`),
    ...(damage.length > 0
      ? [
          'Restore a backup with "culvert restore FILE", or start Culvert: it sets the file aside and continues with the projects, keys and accounts of culvert-settings.json.',
        ]
      : []),
    ...(facts.settingsCopy === 'unreadable'
      ? [
          'The copy of the settings, culvert-settings.json, cannot be read. Culvert writes it again at the next start.',
        ]
      : []),
    ...(isLowSpace(space) ? ['The disk is almost full: events are rejected until space is freed.'] : []),
  ]
}

/** Reads the tables; of a damaged database as much as is readable. */
function readTables(
  sqlite: DatabaseSync,
): Pick<Diagnosis, 'tables' | 'deadLetterCount' | 'waitingEventCount' | 'lastBackup'> {
  const number = (sql: string) => Number(readOr(() => sqlite.prepare(sql).get()?.['n'], 0))
  const lastBackup = readOr(
    () =>
      parseLastBackup(
        String(sqlite.prepare('SELECT value FROM settings WHERE key = ?').get(lastBackupKey)?.['value']),
      ),
    undefined,
  )
  return {
    tables: readOr(() => listTableSizes(sqlite), []),
    deadLetterCount: number('SELECT count(*) AS n FROM dead_letters'),
    waitingEventCount: number('SELECT coalesce(sum(event_count), 0) AS n FROM counter_deltas'),
    ...(lastBackup && { lastBackup }),
  }
}

function listProjects(sqlite: DatabaseSync): Diagnosis['projects'] {
  const slugs = new Map(
    sqlite
      .prepare('SELECT id, slug FROM projects')
      .all()
      .map(({ id, slug }) => [Number(id), String(slug)]),
  )
  return listStoredSpace(sqlite).map((space) =>
    Object.assign(space, { slug: slugs.get(space.projectId) ?? '' }),
  )
}

/** Largest first. */
function listTableSizes(sqlite: DatabaseSync): TableSize[] {
  const rows = sqlite
    .prepare(
      `SELECT s.tbl_name AS name, sum(p.pgsize) AS bytes FROM sqlite_schema s
       JOIN dbstat p ON p.name = s.name AND p.aggregate = TRUE
       GROUP BY s.tbl_name ORDER BY bytes DESC`,
    )
    .all()
  return rows.map((row) => {
    const name = String(row['name'])
    const counted = sqlite.prepare(`SELECT count(*) AS n FROM "${name}"`).get()
    return { name, rowCount: Number(counted?.['n']), bytes: Number(row['bytes']) }
  })
}

function readOr<Value>(read: () => Value, fallback: Value): Value {
  try {
    return read()
  } catch {
    return fallback
  }
}

function listOldFiles(dataDir: string): Diagnosis['oldFiles'] {
  return readdirSync(dataDir)
    .filter((name) => /^culvert-(damaged|replaced)-.*\.(db|settings\.json)$/.test(name))
    .map((name) => ({ name, bytes: statSync(join(dataDir, name)).size }))
}
