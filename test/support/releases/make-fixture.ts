import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { findPostgresPrograms, startPostgresCluster } from '../postgres-cluster.ts'
import { startServerProcess } from '../server-process.ts'
import { createTempDir } from '../temp-dir.ts'
import { fillInstallation } from './fill-installation.ts'
import type { ReleaseFacts } from './release-fixtures.ts'

const root = join(import.meta.dirname, '../../..')
const run = promisify(execFile)
const maxBuffer = 64_000_000

/**
 * Makes the fixture of a released version in `test/fixtures/releases`: builds the version of a tag, starts it
 * on each engine, fills it as users do, and packs what it stored. Takes some minutes.
 */
export async function makeReleaseFixture(tag: string): Promise<string> {
  const source = await createTempDir()
  await run('sh', ['-c', 'git archive "$1" | tar -x -C "$2"', 'sh', tag, source.path], { cwd: root })
  await run(process.execPath, ['bin/setup.mjs', 'build'], { cwd: source.path, maxBuffer })
  const output = await fillAndPack(source.path, tag)
  await source.remove()
  return output
}

async function fillAndPack(source: string, tag: string): Promise<string> {
  const output = join(root, 'test/fixtures/releases', tag)
  await mkdir(output, { recursive: true })
  const facts = {
    sqlite: await makeOnSqlite(source, join(output, 'sqlite.tar.gz')),
    postgres: await makeOnPostgres(source, join(output, 'postgres.sql.gz')),
  }
  await writeFile(join(output, 'facts.json'), `${JSON.stringify(facts, null, 2)}\n`)
  return output
}

async function makeOnSqlite(source: string, file: string): Promise<ReleaseFacts> {
  const data = await createTempDir()
  const facts = await whileRunning(source, { CULVERT_DATA_DIR: data.path })
  await run('tar', ['-czf', file, '-C', data.path, '--owner=0', '--group=0', '.'])
  await data.remove()
  return facts
}

async function makeOnPostgres(source: string, file: string): Promise<ReleaseFacts> {
  const cluster = await startPostgresCluster()
  const data = await createTempDir()
  try {
    const url = await cluster.createDatabase('culvert')
    const facts = await whileRunning(source, { CULVERT_DATA_DIR: data.path, DATABASE_URL: url })
    const dump = join(findPostgresPrograms() ?? '', 'pg_dump')
    const { stdout } = await run(dump, ['--no-owner', '--no-privileges', url], { maxBuffer })
    await writeFile(file, gzipSync(stdout, { level: 9 }))
    return facts
  } finally {
    await cluster.stop()
    await data.remove()
  }
}

async function whileRunning(source: string, variables: Record<string, string>): Promise<ReleaseFacts> {
  const server = await startServerProcess({
    root: source,
    args: [],
    dataDir: variables['CULVERT_DATA_DIR'] ?? '',
    variables: { ...variables, NODE_ENV: 'production' },
  })
  const command = async (...args: string[]) => {
    const env = { ...process.env, ...variables }
    const { stdout } = await run(process.execPath, [join(source, 'bin/culvert.ts'), ...args], { env })
    return stdout
  }
  try {
    return await fillInstallation({ origin: server.origin, printed: server.stderr, command })
  } finally {
    const code = await server.end('SIGTERM')
    if (code !== 0) process.stderr.write(`The released version ended with ${code}: ${server.stderr()}\n`)
  }
}
