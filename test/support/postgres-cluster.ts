import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readdirSync } from 'node:fs'
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { queryPostgres } from './query-postgres.ts'

const run = promisify(execFile)

/** A PostgreSQL server for tests, in a temporary folder. */
export interface PostgresCluster {
  /** Address of one of its databases. */
  urlOf(database: string): string
  /** Creates an empty database, or a copy of another one, and returns its address. */
  createDatabase(name: string, template?: string): Promise<string>
  /** The folder of its socket. */
  readonly folder: string
  /** The server's process, which fault tests kill or suspend. */
  readonly process: ChildProcess
  /** Ends the server without a checkpoint, at once with SIGQUIT or SIGKILL, and restarts it. */
  restart(signal: 'SIGQUIT' | 'SIGKILL'): Promise<void>
  /** Suspends all its processes: connections stay open, new ones too, and nothing is answered. */
  suspend(): Promise<void>
  /** Lets them run again. Does nothing to running ones. */
  resume(): Promise<void>
  stop(): Promise<void>
}

/** A standby of a cluster, which follows it by streaming replication. */
export interface PostgresStandby {
  urlOf(database: string): string
  /** Ends the server, without a checkpoint, and keeps its data. */
  kill(): Promise<void>
  /** Starts the server again. */
  start(): Promise<void>
  /** Ends the server and removes its data. */
  stop(): Promise<void>
}

export interface ClusterOptions {
  /** Further settings of the server. */
  settings?: Record<string, string>
  /** False: a killed server may lose committed data, which matters in fault tests only. */
  isDurable?: boolean
  /** The parent of its folder. Default: the system's folder of temporary files. */
  folder?: string
  /**
   * A file for the server's log. Without it this process reads the log: much of it stops a server for which
   * this process waits.
   */
  logFile?: string
}

/** The folder in which Debian installs the newest supported version, 15 or later. */
export function findPostgresPrograms(): string | undefined {
  const root = '/usr/lib/postgresql'
  if (!existsSync(root)) return undefined
  const versions = readdirSync(root)
    .map(Number)
    .filter((version) => version >= 15)
  const newest = versions.toSorted((a, b) => b - a)[0]
  return newest === undefined ? undefined : join(root, String(newest), 'bin')
}

/** Creates a cluster and starts its server on a Unix socket. Throws if PostgreSQL is not installed. */
export async function startPostgresCluster({
  isDurable = false,
  settings: ownSettings = {},
  folder: parent = tmpdir(),
  logFile,
}: ClusterOptions = {}): Promise<PostgresCluster> {
  const programs = findPostgresPrograms()
  if (programs === undefined) throw new Error('No PostgreSQL of version 15 or later is installed.')
  const owner = await findPostgresOwner()
  const folder = await mkdtemp(join(parent, 'culvert-postgres-'))
  if (owner) await chown(folder, owner.uid, owner.gid)
  const data = join(folder, 'data')
  const options = ['--pgdata', data, '--encoding', 'UTF8', '--locale', 'C.UTF-8', '--auth', 'trust']
  await run(join(programs, 'initdb'), [...options, '--username', 'culvert', '--no-sync'], {
    ...owner,
    cwd: folder,
  })
  const settings = {
    listen_addresses: '',
    unix_socket_directories: folder,
    max_connections: '200',
    ...(!isDurable && { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
    ...ownSettings,
  }
  const start = () => startServer(programs, { folder, settings, owner, logFile })
  let server = start()
  await waitUntilReady(server, logFile)
  const urlOf = (database: string) => urlIn(folder, database)
  /** The server first: it starts no further processes meanwhile. */
  const signalAll = async (signal: 'SIGSTOP' | 'SIGCONT') => {
    server.kill(signal)
    const children = await readFile(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8')
    for (const pid of children.split(' ').filter(Boolean)) signalChild(Number(pid), signal)
  }
  return {
    urlOf,
    folder,
    suspend: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
    get process() {
      return server
    },
    async createDatabase(name, template = 'template0') {
      await queryPostgres(urlOf('postgres'), `CREATE DATABASE "${name}" TEMPLATE "${template}"`)
      return urlOf(name)
    },
    async restart(signal) {
      const ended = once(server, 'exit')
      server.kill(signal)
      await ended
      // Its child processes notice the kill a moment later.
      const until = performance.now() + 20_000
      for (;;) {
        server = start()
        try {
          await waitUntilReady(server, logFile)
          return
        } catch (error) {
          if (performance.now() > until) throw error
          await sleep(100)
        }
      }
    },
    async stop() {
      if (server.exitCode === null && server.signalCode === null) {
        await signalAll('SIGCONT')
        server.kill('SIGINT')
        await once(server, 'exit')
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The process of a connection may end after it was listed. */
function signalChild(pid: number, signal: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** Copies a cluster with pg_basebackup, and starts the copy as its standby. */
export async function startStandby(cluster: PostgresCluster): Promise<PostgresStandby> {
  const programs = findPostgresPrograms() ?? ''
  const owner = await findPostgresOwner()
  const folder = await mkdtemp(join(tmpdir(), 'culvert-standby-'))
  if (owner) await chown(folder, owner.uid, owner.gid)
  const source = ['--host', cluster.folder, '--username', 'culvert', '--checkpoint', 'fast', '--no-sync']
  const target = ['--pgdata', join(folder, 'data'), '--write-recovery-conf', '--wal-method', 'stream']
  await run(join(programs, 'pg_basebackup'), [...source, ...target], { ...owner, cwd: folder })
  const settings = {
    listen_addresses: '',
    unix_socket_directories: folder,
    max_connections: '200',
    fsync: 'off',
  }
  const start = () => startServer(programs, { folder, settings, owner })
  let server = start()
  await waitUntilReady(server)
  const kill = async (signal: 'SIGQUIT' | 'SIGINT') => {
    server.kill(signal)
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
  }
  return {
    urlOf: (database) => urlIn(folder, database),
    kill: () => kill('SIGQUIT'),
    async start() {
      server = start()
      await waitUntilReady(server)
    },
    async stop() {
      await kill('SIGINT')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

interface ServerPlace {
  /** The folders of the data and of the socket. */
  folder: string
  settings: Record<string, string>
  owner: { uid: number; gid: number } | undefined
  logFile?: string | undefined
}

function startServer(programs: string, { folder, settings, owner, logFile }: ServerPlace) {
  const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = logFile === undefined ? 'pipe' : openSync(logFile, 'a')
  const server = spawn(join(programs, 'postgres'), ['-D', join(folder, 'data'), ...given], {
    ...owner,
    cwd: folder,
    stdio: ['ignore', 'ignore', log],
  })
  if (typeof log === 'number') closeSync(log)
  return server
}

function urlIn(folder: string, database: string): string {
  return `postgres://culvert@localhost/${database}?host=${encodeURIComponent(folder)}`
}

/** PostgreSQL does not run as root: root uses the account of Debian's package. */
export async function findPostgresOwner(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const line = (await readFile('/etc/passwd', 'utf8'))
    .split('\n')
    .find((text) => text.startsWith('postgres:'))
  const [, , uid, gid] = line?.split(':') ?? []
  if (uid === undefined || gid === undefined)
    throw new Error('There is no account postgres to run PostgreSQL as.')
  return { uid: Number(uid), gid: Number(gid) }
}

const readyMessage = /database system is ready to accept (?:read-only )?connections/

async function waitUntilReady(server: ChildProcess, logFile?: string): Promise<void> {
  let log = ''
  if (logFile !== undefined) {
    while (!readyMessage.test(log)) {
      if (server.exitCode !== null) throw new Error(`postgres ended with ${server.exitCode}:\n${log}`)
      await sleep(20)
      log = await readFile(logFile, 'utf8')
    }
    return
  }
  await new Promise<void>((resolve, reject) => {
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log += text
      if (readyMessage.test(log)) resolve()
    })
    server.once('exit', (code) => reject(new Error(`postgres ended with ${code}:\n${log}`)))
  })
}
