import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv, toHttpOrigin, type Env } from './env.ts'
import { errorMessage, OperatorError, ReadOnlyDiskError } from './errors.ts'
import { builtInProjectId, ensureFirstProjects } from './first-projects.ts'
import { createBodyGate, type BodyGate } from './http/body-gate.ts'
import { createProjectKeys, type ProjectKeys } from './ingest/project-keys.ts'
import { createRefusedCounts, type RefusedCounts } from './ingest/refused-counts.ts'
import { createLog, type Log } from './log.ts'
import { toProjectDsn } from './project-dsn.ts'
import { createRateLimiter, type RateLimiter } from './rate-limit/rate-limiter.ts'
import { createReadiness, type Readiness } from './readiness.ts'
import { createCommitter, type Committer } from './store/committer.ts'
import { openStore, type OpenStoreOptions, type Store } from './store/database.ts'
import { recordProbe, recordPublicOrigin } from './store/settings.ts'
import { isWritableFolder } from './writable-folder.ts'

/** Everything that is open and shared, made once by whoever starts the server and passed on by hand. */
export interface Services {
  readonly env: Env
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly log: Log
  readonly store: Store
  readonly committer: Committer
  readonly projectKeys: ProjectKeys
  readonly rateLimiter: RateLimiter
  readonly refusedCounts: RefusedCounts
  readonly bodyGate: BodyGate
  readonly readiness: Readiness
  /** Scheme, host and port that DSNs carry: `CULVERT_ORIGIN`, else where the server listens. */
  readonly publicOrigin: string
  /** Where Culvert reports its own errors. */
  readonly monitoring: { readonly dsn: string; readonly projectId: number }
  /**
   * Tells where the server really listens (`PORT=0`), and leaves it in the store for the command line. `CULVERT_ORIGIN`
   * wins over it.
   */
  announceOrigin(listeningAt: string): Promise<void>
  /** Waits for what has been taken in, then closes the store. The server must have stopped taking requests. */
  close(): Promise<void>
}

/**
 * Opens the store in `env.dataDir` and everything around it. Raises an `OperatorError` when the directory cannot be
 * written.
 * `onStatement` is told of every statement that a screen reads with.
 */
export async function createServices(env: Env, onStatement?: (sql: string) => void): Promise<Services> {
  const clock = Date.now
  const log = createLog(env.logLevel)
  const store = await openStoreIn(env.dataDir, { clock, log, ...(onStatement && { onStatement }) })
  try {
    await ensureFirstProjects(store)
    const projectKeys = await createProjectKeys(store)
    const builtInKey = await projectKeys.findOfProject(builtInProjectId)
    if (builtInKey === undefined) throw new OperatorError('The built-in project has no active key.')
    const committer = createCommitter(store, log)
    const refusedCounts = createRefusedCounts({ committer, log })
    let publicOrigin = env.origin ?? toHttpOrigin(env.host, env.port)
    return {
      env,
      clock,
      log,
      store,
      committer,
      projectKeys,
      // Not the wall clock, which people set back.
      rateLimiter: createRateLimiter(() => performance.now()),
      refusedCounts,
      bodyGate: createBodyGate(),
      readiness: createReadiness({
        condition: store.condition,
        probeStore: () => recordProbe(store, clock()),
        clock,
        log,
      }),
      get publicOrigin() {
        return publicOrigin
      },
      get monitoring() {
        return { dsn: toProjectDsn(publicOrigin, builtInKey), projectId: builtInProjectId }
      },
      async announceOrigin(listeningAt) {
        publicOrigin = env.origin ?? listeningAt
        await recordPublicOrigin(store, publicOrigin)
      },
      async close() {
        await refusedCounts.flush()
        await committer.drain()
        await store.close()
      },
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

/**
 * The same from the process's environment, for entries that nobody passes services to: the development server and
 * serverless hosts. Raises an `OperatorError` naming every bad variable.
 */
export async function createServicesFromEnvironment(): Promise<Services> {
  return createServices(requireEnv(process.env))
}

/** Reads the settings or raises one `OperatorError` (exit code 2) that names every problem. */
export function requireEnv(record: Record<string, string | undefined>): Env {
  const result = parseEnv(record)
  if (result.ok) return result.env
  const problems = result.problems.map((problem) => `  - ${problem}`).join('\n')
  throw new OperatorError(`Culvert cannot start with these settings:\n${problems}`, 2)
}

/**
 * Opens the store of a data directory, made when missing. Raises an `OperatorError` when it cannot be used, a
 * `ReadOnlyDiskError` when that is because nothing can be written there.
 */
export async function openStoreIn(dataDir: string, options: Omit<OpenStoreOptions, 'path'>): Promise<Store> {
  try {
    mkdirSync(dataDir, { recursive: true })
    return await openStore({ path: join(dataDir, 'culvert.db'), ...options })
  } catch (error) {
    const message =
      `The data directory ${JSON.stringify(dataDir)} cannot be used: ${errorMessage(error)}. ` +
      'Check that it exists and that this user may write in it, or set CULVERT_DATA_DIR to another one.'
    if (isWritableFolder(dataDir)) throw new OperatorError(message)
    throw new ReadOnlyDiskError(`${message} For hosts without a disk, see docs/deploy-vercel.md.`)
  }
}
