import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import * as v from 'valibot'
import { findPostgresPrograms, type PostgresCluster } from '../postgres-cluster.ts'

const folder = join(import.meta.dirname, '../../fixtures/releases')
const run = promisify(execFile)

const Account = v.object({ name: v.string(), email: v.string(), password: v.string() })

const Facts = v.object({
  owner: Account,
  member: Account,
  /** A token of the API with every scope. */
  token: v.string(),
  project: v.object({ id: v.number(), slug: v.string(), publicKey: v.string() }),
  /** Of the issues, each with one of its events. */
  issues: v.array(
    v.object({ shortId: v.string(), title: v.string(), status: v.string(), eventId: v.string() }),
  ),
  traceId: v.string(),
  attachment: v.object({ eventId: v.string(), text: v.string() }),
  monitor: v.string(),
  rule: v.string(),
  release: v.string(),
})

/** The data that a released version stored. */
export type ReleaseFacts = v.InferOutput<typeof Facts>

/** The released versions of which there is a fixture, oldest first. */
export function listReleaseFixtures(): string[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith('v'))
    .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
}

/** The content of the fixture of a version. */
export function readReleaseFacts(tag: string): Record<'sqlite' | 'postgres', ReleaseFacts> {
  const text = readFileSync(join(folder, tag, 'facts.json'), 'utf8')
  return v.parse(v.object({ sqlite: Facts, postgres: Facts }), JSON.parse(text))
}

/** Unpacks the data directory of a version into a new folder, and returns it. */
export async function unpackDataDir(tag: string): Promise<string> {
  const target = await mkdtemp(join(tmpdir(), 'culvert-release-'))
  await run('tar', ['-xzf', join(folder, tag, 'sqlite.tar.gz'), '-C', target, '--no-same-owner'])
  return target
}

/** Restores the dump of a version into a new database, and returns its address. */
export async function restoreDump(tag: string, cluster: PostgresCluster, name: string): Promise<string> {
  const url = await cluster.createDatabase(name)
  const file = join(cluster.folder, `${name}.sql`)
  await writeFile(file, gunzipSync(await readFile(join(folder, tag, 'postgres.sql.gz'))))
  await run(join(findPostgresPrograms() ?? '', 'psql'), ['-qX', '-v', 'ON_ERROR_STOP=1', '-f', file, url])
  return url
}
