import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { findPostgresPrograms, startPostgresCluster } from '#test/postgres-cluster.ts'

/** A PostgreSQL server for tests, and the function that stops it. */
export interface TestPostgres {
  /** The URL of one of its databases. */
  url: string
  stop: () => Promise<void>
}

/**
 * Starts the installed PostgreSQL; on Debian, root installs it first. Otherwise uses the server of
 * CULVERT_TEST_DATABASE_URL, whose user must be able to create databases. Undefined if there is none.
 */
export async function openTestPostgres(folder: string): Promise<TestPostgres | undefined> {
  if (findPostgresPrograms() === undefined) installPostgres()
  if (findPostgresPrograms() !== undefined) {
    const cluster = await startPostgresCluster({ folder })
    return { url: cluster.urlOf('postgres'), stop: () => cluster.stop() }
  }
  const url = process.env['CULVERT_TEST_DATABASE_URL'] ?? ''
  return url === '' ? undefined : { url, stop: () => Promise.resolve() }
}

function installPostgres(): void {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  console.log('Installing PostgreSQL: apt-get install postgresql …')
  const command = 'apt-get update && apt-get install -y --no-install-recommends postgresql'
  spawnSync('sh', ['-c', command], { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
}
