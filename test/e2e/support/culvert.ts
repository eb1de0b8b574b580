import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as v from 'valibot'
import { setUpOwner, type SessionCookie } from '../../support/session.ts'

/** A project of a Culvert under test, as `culvert project list --json` tells it. */
export interface Project {
  id: number
  slug: string
  dsn: string
}

/** The built application as a process of its own, on a free port and with a data directory of its own. */
export interface Culvert {
  readonly origin: string
  /** The session of the owner, who made the first account when it started. */
  readonly session: SessionCookie
  /** Path of its database file. */
  readonly databasePath: string
  /** What it has printed so far, its log and what it told people. */
  printed(): string
  /** Adds a project through the command line, while the server runs. */
  createProject(name: string): Promise<Project>
  findProject(slug: string): Promise<Project>
  /** Makes an account through the command line: a member of the first organization. */
  createUser(email: string, password: string): Promise<void>
  /** Asks the command line for a link to a new password. */
  resetPassword(email: string): Promise<string>
  /** Runs the command line to its end, while the server runs, and returns what it printed. */
  run(...args: string[]): Promise<string>
  /** Ends it with SIGTERM; throws when it does not end well. */
  stop(): Promise<void>
}

const root = join(import.meta.dirname, '../../..')
const culvertPath = join(root, 'bin/culvert.ts')
const startTimeoutMs = 20_000
/** Requests in flight get 7 s; more than twice that is a server that does not stop. */
const stopTimeoutMs = 16_000
const projectList = v.array(v.object({ id: v.number(), slug: v.string(), dsn: v.string() }))

export interface CulvertOptions {
  /** The folder of the application that is run, with its build: this one unless another is named. */
  folder?: string
  /** Environment variables beyond those that every test sets. */
  variables?: Record<string, string>
  /** False: nobody has an account, and `session` is empty. */
  isSetUp?: boolean
}

/** Starts the built application and waits until it prints its address. */
export async function startCulvert({
  folder = root,
  variables = {},
  isSetUp = true,
}: CulvertOptions = {}): Promise<Culvert> {
  const dataDir = mkdtempSync(join(tmpdir(), 'culvert-e2e-'))
  const env = {
    PATH: process.env['PATH'],
    NODE_ENV: 'production',
    PORT: '0',
    CULVERT_DATA_DIR: dataDir,
    ...variables,
  }
  const child = spawn(process.execPath, [join(folder, 'bin/culvert.ts'), 'start'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk))
  }
  const origin = await readAddress(child, () => printed)
  const session = isSetUp ? await setUpOwner(origin, printed) : { name: '', value: '' }

  async function runCommand(...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, [culvertPath, ...args], { cwd: root, env })
    return stdout
  }
  const runUserAdd = (email: string) =>
    promisify(execFile)(process.execPath, [culvertPath, 'user', 'add', email, '--password-stdin'], {
      cwd: root,
      env,
    })
  async function findProject(slug: string): Promise<Project> {
    const projects = v.parse(projectList, JSON.parse(await runCommand('project', 'list', '--json')))
    const project = projects.find((candidate) => candidate.slug === slug)
    if (project === undefined)
      throw new Error(`No project ${slug} among ${projects.map((each) => each.slug).join(', ')}`)
    return project
  }
  return {
    origin,
    session,
    databasePath: join(dataDir, 'culvert.db'),
    printed: () => printed,
    findProject,
    run: runCommand,
    async createProject(name) {
      await runCommand('project', 'add', name)
      return findProject(name.toLowerCase().replaceAll(' ', '-'))
    },
    async createUser(email, password) {
      const running = runUserAdd(email)
      running.child.stdin?.end(password)
      await running
    },
    async resetPassword(email) {
      return /http:\S+/.exec(await runCommand('user', 'reset-password', email))?.[0] ?? ''
    },
    async stop() {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      clearTimeout(timer)
      rmSync(dataDir, { recursive: true, force: true })
      if (child.exitCode !== 0)
        throw new Error(`Culvert ended with ${child.exitCode ?? child.signalCode}:\n${printed}`)
    },
  }
}

function readAddress(child: ChildProcess, printed: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`No address after ${startTimeoutMs} ms:\n${printed()}`))
    }, startTimeoutMs)
    const look = () => {
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(printed())?.[0]
      // The line about the first account is the last one of what it tells people.
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
