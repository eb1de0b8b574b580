import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { openStore } from '#server/store/store.ts'
import { findPostgresPrograms, startPostgresCluster, type PostgresCluster } from '#test/postgres-cluster.ts'
import { queryPostgres } from '#test/query-postgres.ts'
import { addOwnerIn, addUser } from '#test/session.ts'
import { createTempDir } from '#test/temp-dir.ts'
import { root } from '../support/documents.ts'
import { skip } from '../support/skip.ts'
import { fillIn, type Recipe } from './recipe.ts'
import { runCommands, runShell } from './shell.ts'

/** The address of the database that docs/postgresql.md creates. */
export const guideUrl = 'postgres://culvert:change-me@localhost:5432/culvert'

/** The environment of a block. */
interface Place {
  /** The URL of an empty database. */
  url: string
  folder: string
  cluster: PostgresCluster
}

/** Runs a block with a server, an empty database and an empty folder. */
function onPostgres(run: (code: string, place: Place) => Promise<void>): Recipe {
  return async (code, { context }) => {
    if (findPostgresPrograms() === undefined) skip(context, 'PostgreSQL is not installed')
    const [cluster, folder] = [await startPostgresCluster(), await createTempDir()]
    try {
      await run(code, { url: await cluster.createDatabase('guide'), folder: folder.path, cluster })
    } finally {
      await cluster.stop()
      await folder.remove()
    }
  }
}

const countUsers = async (url: string) =>
  (await queryPostgres(url, 'SELECT count(*)::int AS n FROM users'))[0]?.['n']

/** Statements of a superuser, with the guide's role renamed for the tests' server. */
export const rolesAndDatabases = onPostgres(expectSettings)

async function expectSettings(code: string, { cluster }: Place): Promise<void> {
  const server = cluster.urlOf('postgres')
  await queryPostgres(server, 'CREATE ROLE root SUPERUSER LOGIN')
  const asRoot = server.replace('//culvert@', '//root@')
  const isNew = code.startsWith('CREATE')
  if (isNew) await queryPostgres(asRoot, 'ALTER ROLE culvert RENAME TO tests')
  for (const statement of code.split('\n')) await queryPostgres(asRoot, statement)
  const database = isNew ? 'culvert' : 'guide'
  const store = await openStore({ path: cluster.urlOf(database), clock: Date.now })
  await store.close()
  if (isNew) return
  const settings = await queryPostgres(cluster.urlOf(database), 'SHOW idle_session_timeout')
  expect(settings).toEqual([{ idle_session_timeout: '5min' }])
}

/** `culvert migrate` on an empty database with the guide's address. */
export function migrated(address: string): Recipe {
  return onPostgres((code, place) => expectMigrated(fillIn(code, { [address]: place.url }), place))
}

async function expectMigrated(code: string, { url, folder }: Place): Promise<void> {
  expect(await runCommands(code, folder)).toContain('is up to date')
  expect(await queryPostgres(url, 'SELECT slug FROM organizations')).toEqual([{ slug: 'default' }])
}

/** `culvert user add` in a database with a schema. */
export const ownerOfDatabase = onPostgres(expectOwner)

async function expectOwner(code: string, { url, folder }: Place): Promise<void> {
  await runCommands('npm run -s culvert -- migrate', folder, { DATABASE_URL: url })
  const printed = await runCommands(fillIn(code, { 'postgres://…': url }), folder)
  expect(printed).toContain('https://errors.example.com/password/')
  expect(await countUsers(url)).toBe(1)
}

/** A dump, and its restore over later changes. */
export const dumpedAndRestored = onPostgres(expectRestored)

async function expectRestored(code: string, { url, folder, cluster }: Place): Promise<void> {
  const variables = { DATABASE_URL: url, PGHOST: cluster.folder }
  const store = await openStore({ path: url, clock: Date.now })
  await addUser(store)
  await store.close()
  const [dump = '', restore = '', ...more] = code.split('\n')
  expect(more).toEqual([])
  await runShell(dump, { variables, cwd: folder })
  await queryPostgres(url, 'DELETE FROM users')
  await runShell(restore, { variables, cwd: folder })
  expect(await countUsers(url)).toBe(1)
  await (await openStore({ path: url, clock: Date.now })).close()
}

/** A dump and its restore, with the user and the database of the file for Compose, and without Docker. */
export const dumpedInContainer = onPostgres(expectRestoredInContainer)

async function expectRestoredInContainer(code: string, place: Place): Promise<void> {
  const compose = await readFile(join(root, 'compose.postgres.yaml'), 'utf8')
  const [, user] = /POSTGRES_USER: (\S+)/.exec(compose) ?? []
  const [, name = ''] = /POSTGRES_DB: (\S+)/.exec(compose) ?? []
  const inService = 'docker compose -f compose.yaml -f compose.postgres.yaml exec -T postgres '
  const lines = code.split('\n')
  for (const line of lines) expect(line.startsWith(inService)).toBe(true)
  expect(code).toContain(`-U ${user} `)
  await expectRestored(code.replaceAll(inService, ''), {
    ...place,
    url: await place.cluster.createDatabase(name),
  })
}

/** A copy of the server that starts as its standby. */
export const standbyCopied = onPostgres(expectStandby)

async function expectStandby(code: string, { url, folder }: Place): Promise<void> {
  const standby = join(folder, 'standby')
  await runShell(code, { variables: { DATABASE_URL: url, STANDBY_FOLDER: standby }, cwd: folder })
  expect(existsSync(join(standby, 'standby.signal'))).toBe(true)
  expect(await readFile(join(standby, 'postgresql.auto.conf'), 'utf8')).toContain('primary_conninfo')
}

/** `culvert copy` of an installation with an account. */
export const copiedFromSqlite = onPostgres(expectCopied)

async function expectCopied(code: string, { url, folder }: Place): Promise<void> {
  await addOwnerIn(folder)
  const filled = fillIn(code, { '/var/lib/culvert': folder, [guideUrl]: url })
  expect(await runCommands(filled, folder)).toContain('counts and sums are equal')
  expect(await countUsers(url)).toBe(1)
}
