import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import * as v from 'valibot'
import { runCulvert, startServerProcess } from '#test/server-process.ts'
import { createTempDir } from '#test/temp-dir.ts'
import { startChild } from '../support/run-child.ts'
import { startBadInputUpstream, type BadInputUpstream } from './upstream.ts'

/** The project that cases send to, its neighbour, and a disabled key: the fixtures that the cases assume. */
export const fixture = {
  project: 42,
  key: 'e12d836b15bb49d7bbf99e64295d995b',
  otherProject: 43,
  otherKey: '31a5a894b4524f74a9a8d0e27e21ba92',
  disabledKey: 'd15ab1edd15ab1edd15ab1edd15ab1ed',
} as const

const health = v.object({ worstMs: v.number(), failures: v.number() })

/** A whole Culvert with a new data directory, and its externally visible state. */
export type BadInputTarget = Awaited<ReturnType<typeof startTarget>>

/** Creates the fixtures with the command line and starts the server with its console. */
export async function startTarget() {
  const dataDir = await createTempDir()
  const connects = join(dataDir.path, 'connects.txt')
  writeFileSync(connects, '')
  const upstream = await startBadInputUpstream(dataDir.path)
  const variables = {
    CULVERT_DATA_DIR: dataDir.path,
    NODE_ENV: 'production',
    BENCH_CONNECTS: connects,
    CULVERT_ALLOW_PRIVATE_UPSTREAMS: '1',
    NODE_EXTRA_CA_CERTS: upstream.certificatePath,
  }
  await setUp(variables, upstream)
  const server = await startServerProcess({
    dataDir: dataDir.path,
    args: [],
    variables: { ...variables, HOST: '127.0.0.1' },
    nodeArgs: ['--import', join(import.meta.dirname, 'connect-spy.ts')],
  })
  const watch = startChild('bad-inputs/health-watch.ts', [server.origin])
  const lines = createInterface({ input: watch.stdout })
  const pid = server.child.pid ?? 0
  return {
    server,
    databasePath: join(dataDir.path, 'culvert.db'),
    /** Connection attempts so far, except those to the configured upstream. */
    readConnects: () =>
      readFileSync(connects, 'utf8')
        .split('\n')
        .slice(0, -1)
        .filter((line) => line !== `TCPCONNECTWRAP ${upstream.address}`),
    /** The forwarded headers so far. */
    sentUp: upstream.received,
    /** Resets the peak of resident memory (proc_pid_clear_refs(5)); returns the resident memory now. */
    resetPeakBytes() {
      writeFileSync(`/proc/${pid}/clear_refs`, '5')
      return readStatusBytes(pid, 'VmRSS')
    },
    readPeakBytes: () => readStatusBytes(pid, 'VmHWM'),
    /** The longest answer time of the health check since the last call. */
    async readHealth() {
      watch.stdin.write('\n')
      const said: unknown[] = await once(lines, 'line')
      return v.parse(health, JSON.parse(String(said[0])))
    },
    async stop() {
      watch.stdin.end()
      return server.end('SIGTERM')
    },
    async remove() {
      await upstream.close()
      await dataDir.remove()
    },
  }
}

async function setUp(
  variables: Record<string, string>,
  { host, address }: Pick<BadInputUpstream, 'host' | 'address'>,
): Promise<void> {
  const { project, key, otherProject, otherKey, disabledKey } = fixture
  // Every case but the flood stays below this rate of one address, and the flood exceeds it on the slowest
  // machine.
  const limits = ['--per-address', '1000/10m', '--spike-protection', 'off']
  const commands = [
    ['project', 'add', 'target', '--id', String(project), '--key', key],
    ['project', 'add', 'neighbour', '--id', String(otherProject), '--key', otherKey],
    ['key', 'add', String(project), '--key', disabledKey, '--disabled'],
    ['limits', 'set', String(project), ...limits],
    ['upstream', 'add', String(project), `https://${key}@${host}/${project}`, '--connect', address],
  ]
  for (const command of commands) {
    const { code, stderr } = await runCulvert(command, variables)
    if (code !== 0) throw new Error(`culvert ${command.join(' ')}: ${stderr}`)
  }
}

function readStatusBytes(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${field}:\\s+([0-9]+) kB$`, 'm').exec(status)?.[1]) * 1024
}
