import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { toProjectDsn } from '#server/project-dsn.ts'
import { createProject } from '#server/store/projects/projects.ts'
import { bundledProgram, compiledSources } from '#test/bundled-program.ts'
import { createPostgresDatabase } from '#test/postgres-database.ts'
import { addUser, setUpOwner, type SessionCookie } from '#test/session.ts'
import { commands } from '../../../bin/commands/commands.ts'
import { withProjectStore, type ProjectStore } from '../../../bin/commands/projects/store.ts'

/** A project of a Culvert under test. */
export interface Project {
  id: number
  slug: string
  dsn: string
}

/** The built application in a separate process, on a free port and with a new data directory. */
export interface Culvert {
  readonly origin: string
  /** The session of the owner, whose account was created at the start. */
  readonly session: SessionCookie
  /** Path of its database file. */
  readonly databasePath: string
  /** Its output so far: log lines and messages for the operator. */
  printed(): string
  /** Opens its store in this process, like the command line. */
  withStore<T>(work: (opened: ProjectStore) => Promise<T>): Promise<T>
  /** Runs statements in its SQLite file, for states that no function of the store writes. */
  execute(sql: string): void
  /** Adds a project while the server runs. */
  createProject(name: string): Promise<Project>
  /** Adds an account while the server runs: a member of the organization. */
  createUser(email: string, password: string, role?: 'member' | 'admin'): Promise<void>
  /** Runs a command of the command line in this process, and returns its output. */
  run(...args: string[]): Promise<string>
  /** Ends it with SIGTERM; throws unless it exits with 0. */
  stop(): Promise<void>
}

const root = join(import.meta.dirname, '../../..')
// Reached only by a start that hangs: a busy machine may need many times the usual second.
const startTimeoutMs = 60_000
/** Requests in flight get 7 s. Reached only by an end that hangs, as above. */
const stopTimeoutMs = 45_000

export interface CulvertOptions {
  /** The folder of the application to run, with its build. Default: this repository, bundled. */
  folder?: string
  /** Environment variables beyond those that every test sets. */
  variables?: Record<string, string>
  /** False: there is no account, and `session` is empty. */
  isSetUp?: boolean
}

/** Starts the built application and waits until it prints its address. */
export async function startCulvert({
  folder,
  variables = {},
  isSetUp = true,
}: CulvertOptions = {}): Promise<Culvert> {
  const dataDir = mkdtempSync(join(tmpdir(), 'culvert-e2e-'))
  const postgres = process.env['CULVERT_TEST_POSTGRES']
  const database = postgres === undefined ? undefined : await createPostgresDatabase(postgres)
  const env = {
    PATH: process.env['PATH'],
    NODE_ENV: 'production',
    NODE_COMPILE_CACHE: compiledSources,
    PORT: '0',
    CULVERT_DATA_DIR: dataDir,
    CULVERT_OWN_TRACES_RATE: '0',
    ...(database && { DATABASE_URL: database.url }),
    ...variables,
  }
  const program = folder === undefined ? await bundledProgram() : join(folder, 'dist/program/program.js')
  const child = spawn(process.execPath, [program, 'start'], {
    cwd: folder ?? root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk))
  }
  const origin = await readAddress(child, () => printed)
  const session = isSetUp ? await setUpOwner(origin, printed) : { name: '', value: '' }

  const databasePath = join(dataDir, 'culvert.db')
  const context = { variables: env, root, report: () => {} }
  const withStore = <T>(work: (opened: ProjectStore) => Promise<T>) =>
    withProjectStore({ ...context, print: () => {} }, work)
  return {
    origin,
    session,
    databasePath,
    printed: () => printed,
    withStore,
    execute(sql) {
      // A server with work to do holds the write lock now and then.
      using sqlite = new DatabaseSync(databasePath, { timeout: 10_000 })
      sqlite.exec(sql)
    },
    createProject: (name) => withStore((opened) => addProject(opened, { name })),
    async createUser(email, password, role = 'member') {
      await withStore(({ store }) => addUser(store, { name: email, email, password }, role))
    },
    async run(...args) {
      const command = await commands[args.slice(0, 2).join(' ')]?.()
      if (command === undefined) throw new Error(`Unknown command ${args.join(' ')}`)
      let out = ''
      await command(args.slice(2), { ...context, print: (text) => (out += text) })
      return out
    },
    async stop() {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      clearTimeout(timer)
      rmSync(dataDir, { recursive: true, force: true })
      await database?.drop()
      if (child.exitCode !== 0)
        throw new Error(`Culvert ended with ${child.exitCode ?? child.signalCode}:\n${printed}`)
    },
  }
}

/** Adds a project, by default to the first organization. */
export async function addProject(
  { store, origin }: ProjectStore,
  options: { name: string; organizationId?: number },
): Promise<Project> {
  const { id, slug, publicKey } = await createProject(store, options)
  return { id, slug, dsn: toProjectDsn(origin, { projectId: id, publicKey }) }
}

function readAddress(child: ChildProcess, printed: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`No address after ${startTimeoutMs} ms:\n${printed()}`))
    }, startTimeoutMs)
    const look = () => {
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(printed())?.[0]
      // The line about the first account is the last message for the operator.
      if (address === undefined || !printed().includes('/setup?token=')) return
      clearTimeout(timer)
      resolve(address)
    }
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', look)
    child.once('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`Culvert ended with ${code} before it printed its address:\n${printed()}`))
    })
  })
}
