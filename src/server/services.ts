import { performance } from 'node:perf_hooks'
import type { KyselyPlugin } from 'kysely'
import { createArchiveTimer, type ArchiveTimer } from './archive-timer.ts'
import { createAssembly, type Assembly } from './artifacts/assembly.ts'
import { createAccounts, type Accounts } from './auth/accounts.ts'
import { createClientAddresses, type ClientAddresses } from './client-address.ts'
import type { DataDirClaim } from './data-dir/claim.ts'
import { openDataDir, type SetAside } from './data-dir/open.ts'
import { requireEnv, toHttpOrigin, type Env } from './env.ts'
import { OperatorError } from './errors.ts'
import { builtInProjectId, ensureFirstProjects } from './first-projects.ts'
import { measureForwarding } from './forward/forward-metrics.ts'
import { createForwarder, type Forwarder, type ForwarderOptions } from './forward/forwarder.ts'
import { createAdmission, type Admission } from './ingest/admission/admission.ts'
import { createBodyGate, type BodyGate } from './ingest/admission/body-gate.ts'
import { createProjectKeys, type ProjectKeys } from './ingest/project-keys.ts'
import { IngestMemory } from './ingest/project-rules.ts'
import { createRejectedCounts, type RejectedCounts } from './ingest/rejected-counts.ts'
import { retryDeadLetter, type RetryResult } from './ingest/retry-dead-letter.ts'
import { SliceQueue } from './ingest/slice-queue.ts'
import { sendTestEvent, type TestEventResult } from './ingest/test-event.ts'
import { TickQueue } from './ingest/tick-queue.ts'
import { limits } from './limits.ts'
import { createPolledIssueChanges } from './live/issue-changes.ts'
import { createLiveStreams, type LiveStreams } from './live/live-streams.ts'
import { createLog, type Log } from './log.ts'
import { readMemoryBytes, toMemoryBounds } from './memory-bounds.ts'
import { measureServer, type ServerMetrics } from './metrics/server-metrics.ts'
import { toProjectDsn } from './project-dsn.ts'
import { createRateLimiter, type RateLimiter } from './rate-limit/rate-limiter.ts'
import { createReadiness, type Readiness } from './readiness.ts'
import { createRetentionRunner, type RetentionRunner } from './retention/runner.ts'
import { createDirectMapReader } from './source-maps/direct-map-reader.ts'
import type { MapReader } from './source-maps/map-question.ts'
import { createSourceMaps, type SourceMaps } from './source-maps/source-maps.ts'
import { toStoreBounds } from './store/bounds.ts'
import { createCommitter, type Committer } from './store/ingest/committer.ts'
import type { DeadLetterReference } from './store/ingest/records.ts'
import { recordProbe, recordPublicOrigin } from './store/installation/settings.ts'
import type { ProjectKey } from './store/projects/projects.ts'
import type { Store } from './store/store.ts'

/** Everything that is open and shared, made once by whoever starts the server and passed on by hand. */
export interface Services {
  readonly env: Env
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly log: Log
  readonly store: Store
  readonly committer: Committer
  readonly projectKeys: ProjectKeys
  readonly ingestMemory: IngestMemory
  readonly rateLimiter: RateLimiter
  readonly rejectedCounts: RejectedCounts
  readonly admission: Admission
  readonly tickQueue: TickQueue
  readonly sliceQueue: SliceQueue
  readonly clientAddresses: ClientAddresses
  readonly bodyGate: BodyGate
  /** Who may look at the console. */
  readonly accounts: Accounts
  readonly readiness: Readiness
  /** Deletes what is too old or too much. Not started: that is for a process that stays. */
  readonly retention: RetentionRunner
  /** Sends on to upstreams. Not started either. */
  readonly forwarder: Forwarder
  /** Brings back archived issues whose time has come. Not started either. */
  readonly archiveTimer: ArchiveTimer
  /** Scheme, host and port that DSNs carry: `CULVERT_ORIGIN`, else where the server listens. */
  readonly publicOrigin: string
  /** Where Culvert reports its own errors. */
  readonly monitoring: { readonly dsn: string; readonly projectId: number }
  /**
   * Tells where the server really listens (`PORT=0`), and leaves it in the store for the command line.
   * `CULVERT_ORIGIN` wins over it. Of several servers on one data directory the first one's address is left
   * there; when it has ended, another one's.
   */
  announceOrigin(listeningAt: string): Promise<void>
  /** True when no other process had the data directory open when this one started. */
  readonly startedAlone: boolean
  /** What this process counts and measures of itself. */
  readonly metrics: ServerMetrics
  /** Makes bundles of what tools upload. */
  readonly assembly: Assembly
  /** Finds the source of the code that events tell of. */
  readonly sourceMaps: SourceMaps
  /** Streams of new and reopened issues for open pages. */
  readonly live: LiveStreams
  /** Sends an event to a project as an SDK does. */
  sendTestEvent(project: { projectId: number; publicKey: string }): Promise<TestEventResult>
  /** Takes the item of a dead letter in again. */
  retryDeadLetter(reference: DeadLetterReference): Promise<RetryResult>
  /**
   * Waits for what has been taken in, then closes the store. The server must have stopped taking requests.
   */
  close(): Promise<void>
}

/** What differs between those who open services. */
export interface ServicesOptions {
  /** See every statement that a screen reads with. */
  readPlugins?: KyselyPlugin[]
  /** Left out: a committer on the thread that asks. */
  openCommitter?: (store: Store, log: Log) => Committer
  /** Left out: source maps are read on the thread that asks. */
  openMapReader?: (store: Store, log: Log) => MapReader
}

/**
 * Opens the store in `env.dataDir` and everything around it. Raises an `OperatorError` when the directory
 * cannot be written.
 */
export async function createServices(env: Env, options: ServicesOptions = {}): Promise<Services> {
  const { readPlugins, openCommitter = createCommitter, openMapReader = createDirectMapReader } = options
  const clock = Date.now
  const log = createLog(env.logLevel)
  const dataDir = await openForServer(env, log, readPlugins)
  const { store, claim } = dataDir
  try {
    if (dataDir.setAside) reportSetAside(log, dataDir.setAside)
    await ensureFirstProjects(store)
    const projectKeys = await createProjectKeys(store)
    const builtInKey = await getBuiltInKey(projectKeys)
    const { metrics, committer } = measureServer(store, openCommitter(store, log))
    measureForwarding(metrics.registry, store)
    const artifacts = await openArtifacts(store, log, openMapReader(store, log))
    const rejectedCounts = createRejectedCounts({ committer, log })
    let leadAttempts: NodeJS.Timeout | undefined
    const retention = retentionOf(env, store, log)
    const forwarder = forwarderOf(env, { store, committer, log, startedAlone: claim.wasAlone })
    const [archiveTimer, readiness] = [createArchiveTimer({ store, log }), readinessOf(store, log)]
    let publicOrigin = env.origin ?? toHttpOrigin(env.host, env.port)
    const services: Services = {
      env,
      clock,
      log,
      store,
      committer,
      projectKeys,
      ingestMemory: new IngestMemory(),
      // Not the wall clock, which people set back.
      rateLimiter: createRateLimiter(() => performance.now()),
      rejectedCounts,
      clientAddresses: createClientAddresses({ env, log }),
      ...ingestQueues(committer, log),
      bodyGate: createBodyGate(toMemoryBounds(readMemoryBytes())),
      startedAlone: claim.wasAlone,
      accounts: createAccounts({ store, log, env, origin: () => publicOrigin }),
      readiness,
      ...artifacts,
      live: liveOf(store, readiness),
      retention,
      forwarder,
      archiveTimer,
      metrics,
      get publicOrigin() {
        return publicOrigin
      },
      get monitoring() {
        return { dsn: toProjectDsn(publicOrigin, builtInKey), projectId: builtInProjectId }
      },
      sendTestEvent: (project) => sendTestEvent(services, project),
      retryDeadLetter: (reference) => retryDeadLetter(services, reference),
      async announceOrigin(listeningAt) {
        publicOrigin = env.origin ?? listeningAt
        if (claim.lead()) await recordPublicOrigin(store, publicOrigin)
        else leadAttempts = leadLater(claim, () => recordPublicOrigin(store, publicOrigin))
      },
      async close() {
        await rejectedCounts.flush()
        clearInterval(leadAttempts)
        await Promise.all([metrics.stop(), archiveTimer.stop(), retention.stop(), forwarder.stop()])
        await Promise.all([committer.close(), artifacts.sourceMaps.close()])
        await dataDir.close()
      },
    }
    return services
  } catch (error) {
    await dataDir.close()
    throw error
  }
}

function liveOf({ db, clock }: Store, readiness: Readiness): LiveStreams {
  const changes = createPolledIssueChanges({ db, lookMs: limits.liveLookMs })
  return createLiveStreams({ changes, clock, isStopping: () => readiness.isStopping })
}

/** What bundles are made with, and what reads them: what the one stores, the other knows at once. */
async function openArtifacts(
  store: Store,
  log: Log,
  reader: MapReader,
): Promise<Pick<Services, 'assembly' | 'sourceMaps'>> {
  const sourceMaps = await createSourceMaps({ store, log, reader })
  return { sourceMaps, assembly: createAssembly(store, () => sourceMaps.refresh()) }
}

/** The data directory, with a fresh database in the place of one that is damaged. */
function openForServer(
  { dataDir, maxBytes }: Env,
  log: Log,
  readPlugins: ServicesOptions['readPlugins'],
): ReturnType<typeof openDataDir> {
  const store = { clock: Date.now, bounds: toStoreBounds(maxBytes), log, ...(readPlugins && { readPlugins }) }
  return openDataDir({ dataDir, setsDamageAside: true, ...store })
}

/** The key that Culvert reports its own errors with. */
async function getBuiltInKey(projectKeys: ProjectKeys): Promise<ProjectKey> {
  const key = await projectKeys.findOfProject(builtInProjectId)
  if (key === undefined) throw new OperatorError('The built-in project has no active key.')
  return key
}

/** The runner that keeps the database below the size that the operator allows. */
function retentionOf({ maxBytes }: Env, store: Store, log: Log): RetentionRunner {
  return createRetentionRunner({ store, log, maxBytes, random: Math.random })
}

/** The forwarder, with the addresses that the operator allows. */
function forwarderOf(
  { allowsPrivateUpstreams: allowsPrivate }: Env,
  parts: Pick<ForwarderOptions, 'store' | 'committer' | 'log' | 'startedAlone'>,
): Forwarder {
  return createForwarder({ ...parts, allowsPrivate, random: Math.random })
}

/** Readiness that writes to the store to see whether it can. */
function readinessOf(store: Store, log: Log): Readiness {
  const { condition, clock } = store
  return createReadiness({ condition, probeStore: () => recordProbe(store, clock()), clock, log })
}

/** The queues of ingest, and the admission that measures how long requests wait in them. */
function ingestQueues(
  committer: Committer,
  log: Log,
): Pick<Services, 'admission' | 'tickQueue' | 'sliceQueue'> {
  const tickQueue = new TickQueue(committer)
  const sliceQueue = new SliceQueue()
  const admission = createAdmission({
    now: () => performance.now(),
    oldestWaitMs: () =>
      Math.max(tickQueue.oldestWaitMs(), sliceQueue.oldestWaitMs(), committer.oldestWaitMs()),
    onTurnEnd: (callback) => void setImmediate(callback),
    log,
  })
  return { admission, tickQueue, sliceQueue }
}

/**
 * The same from the process's environment, for entries that nobody passes services to: the development server
 * and serverless hosts. Raises an `OperatorError` naming every bad variable.
 */
export async function createServicesFromEnvironment(): Promise<Services> {
  return createServices(requireEnv(process.env))
}

function reportSetAside(log: Log, { damage, path, salvaged, hasLostAccounts }: SetAside): void {
  log.error(
    { damage, salvaged, path },
    'the database is damaged or missing: a fresh one takes its place, with the projects, keys, accounts and settings that ' +
      'were kept or could be read; the events are not in it. "culvert restore FILE" brings a backup back',
  )
  if (hasLostAccounts)
    log.error(
      {},
      'no account could be kept: /setup stays closed, because there may have been an owner. Make one with "culvert user ' +
        'add EMAIL --role owner"',
    )
}

/** Runs a step when those who had the data directory first have ended. */
function leadLater(claim: DataDirClaim, step: () => Promise<void>): NodeJS.Timeout {
  const attempts = setInterval(() => {
    if (!claim.lead()) return
    clearInterval(attempts)
    // What fails here is told by the store; the address of a server that has ended stays for that long.
    step().catch(() => undefined)
  }, limits.leadAttemptMs)
  return attempts.unref()
}
