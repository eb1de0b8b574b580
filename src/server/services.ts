import { performance } from 'node:perf_hooks'
import { setImmediate as nextTick, setTimeout as delay } from 'node:timers/promises'
import type { KyselyPlugin } from 'kysely'
import { createAssembly, type Assembly } from './artifacts/assembly.ts'
import { createUploadQueue, type UploadQueue } from './artifacts/upload-queue.ts'
import { createAccounts, type Accounts } from './auth/accounts.ts'
import {
  createBackground,
  measureBackground,
  stopBackground,
  type Background,
  type Ingest,
} from './background.ts'
import { createClientAddresses, type ClientAddresses } from './client-address.ts'
import type { DataDirClaim } from './data-dir/claim.ts'
import { openInstallation, type OpenInstallation } from './data-dir/open-installation.ts'
import type { SetAside } from './data-dir/open.ts'
import { requireEnv, toHttpOrigin, type Env } from './env.ts'
import { OperatorError } from './errors.ts'
import { builtInProjectId, ensureFirstProjects } from './first-projects.ts'
import { createHousekeeping, type Housekeeping } from './housekeeping.ts'
import { createAdmission } from './ingest/admission/admission.ts'
import { createBodyGate, type BodyGate } from './ingest/admission/body-gate.ts'
import type { IngestServices } from './ingest/ingest-services.ts'
import { createProjectKeys, type ProjectKeys } from './ingest/project-keys.ts'
import { IngestState } from './ingest/project-rules.ts'
import { receiveLocalEnvelope } from './ingest/receive/envelope.ts'
import { createRejectedCounts } from './ingest/rejected-counts.ts'
import { retryDeadLetter, type RetryResult } from './ingest/retry-dead-letter.ts'
import { SliceQueue } from './ingest/slice-queue.ts'
import { sendTestEvent, type TestEventResult } from './ingest/test-event.ts'
import { TickQueue } from './ingest/tick-queue.ts'
import { limits } from './limits.ts'
import { createPolledIssueChanges } from './live/issue-changes.ts'
import { createLiveStreams, type LiveStreams } from './live/live-streams.ts'
import { createLog, type Log } from './log.ts'
import { readMemoryBytes, toMemoryBounds } from './memory-bounds.ts'
import type { Heartbeat } from './metrics/heartbeat.ts'
import { OwnTraces } from './metrics/own-traces.ts'
import { measureServer, type ServerMetrics } from './metrics/server-metrics.ts'
import { createStatusPages, type StatusPages } from './monitors/status-page/status-pages.ts'
import { toProjectDsn } from './project-dsn.ts'
import {
  createPrefetchLimiter,
  type PrefetchLimiter,
  type PrefetchTiming,
} from './rate-limit/prefetch-limiter.ts'
import { createRateLimiter } from './rate-limit/rate-limiter.ts'
import { createTokenRateLimiter, type TokenRateLimiter } from './rate-limit/token-rate-limiter.ts'
import { createReadiness, type Readiness } from './readiness.ts'
import { createReplicaReads, type ReplicaReads } from './replica-reads.ts'
import { createDirectMapReader } from './source-maps/direct-map-reader.ts'
import type { MapReader } from './source-maps/map-question.ts'
import { createSourceMaps } from './source-maps/source-maps.ts'
import { toStoreBounds } from './store/bounds.ts'
import { createLock } from './store/engine/sqlite/lock.ts'
import { createCommitter, type Committer } from './store/ingest/committer.ts'
import type { DeadLetterReference } from './store/ingest/records.ts'
import { cancelRestoredAlerts } from './store/installation/restored.ts'
import { recordProbe, recordPublicOrigin } from './store/installation/settings.ts'
import type { ProjectKey } from './store/projects/projects.ts'
import type { Store } from './store/store.ts'

/** Shared resources of a server, created once at start and passed explicitly. */
export interface Services extends Background, Omit<IngestServices, keyof Background> {
  readonly env: Env
  readonly store: Store
  readonly ownTraces: OwnTraces
  /** The API's rate limit of each token. */
  readonly tokenRateLimiter: TokenRateLimiter
  readonly clientAddresses: ClientAddresses
  readonly bodyGate: BodyGate
  /** Accounts and access to the console. */
  readonly accounts: Accounts
  readonly readiness: Readiness
  /** Sends reads to the replica, if there is one. */
  readonly reads: ReplicaReads
  /** The public status pages of organizations. */
  readonly statusPages: StatusPages
  /** Background work in slices. Only a serverless host calls it. */
  readonly housekeeping: Housekeeping
  /** The DSN and project of Culvert's own errors. */
  readonly monitoring: { readonly dsn: string; readonly projectId: number }
  /**
   * Sets the public origin to `CULVERT_ORIGIN` or the actual listening address (`PORT=0`), and stores it for
   * the command line. Of several servers on a data directory the first one's origin is stored until it ends.
   */
  announceOrigin(listeningAt: string): Promise<void>
  /** True if no other process had the data directory open at start. */
  readonly startedAlone: boolean
  /** Metrics of this process. */
  readonly metrics: ServerMetrics
  /** Assembles uploaded bundles. */
  readonly assembly: Assembly
  readonly uploadQueue: UploadQueue
  readonly prefetchLimiter: PrefetchLimiter
  /** Streams of new and reopened issues for open pages. */
  readonly live: LiveStreams
  /** Sends an event to a project like an SDK. */
  sendTestEvent(project: { projectId: number; publicKey: string }): Promise<TestEventResult>
  /** Ingests the item of a dead letter again. */
  retryDeadLetter(reference: DeadLetterReference): Promise<RetryResult>
  /** Waits for accepted work, then closes the store. The server must no longer accept requests. */
  close(): Promise<void>
}

/** Options of an entry that creates services. */
export interface ServicesOptions {
  /** Process every statement of screens. */
  readPlugins?: KyselyPlugin[]
  /** Default: a committer on the calling thread. */
  openCommitter?: (store: Store, log: Log) => Committer
  /** Default: source maps are read on the calling thread. */
  openMapReader?: (store: Store, log: Log) => MapReader
}

/** Opens the installation and its services. Throws an `OperatorError` if it is unusable. */
export async function createServices(env: Env, options: ServicesOptions = {}): Promise<Services> {
  const { readPlugins, openCommitter = createCommitter, openMapReader = createDirectMapReader } = options
  const log = createLog(env.logLevel)
  const installation = await openForServer(env, log, readPlugins)
  const { store, claim } = installation
  try {
    await reportRecovery(installation, log)
    await ensureFirstProjects(store)
    let publicOrigin = env.origin ?? toHttpOrigin(env.host, env.port)
    const projectKeys = await createProjectKeys(store)
    const builtInKey = await getBuiltInKey(projectKeys)
    const { metrics, committer } = measureServer(store, openCommitter(store, log))
    const artifacts = await openArtifacts(store, log, openMapReader(store, log))
    const rejectedCounts = createRejectedCounts({ committer, log })
    let leadAttempts: NodeJS.Timeout | undefined
    const ingest: Ingest = (envelope) => receiveLocalEnvelope(services, envelope)
    const noteImport = () => noteNewProjects(services)
    const origin = () => publicOrigin
    const background = createBackground(env, { store, committer, log, claim, ingest, origin, noteImport })
    measureBackground(metrics, store, background)
    const readiness = readinessOf(store, log)
    const kept = { store, log, committer, rejectedCounts, ...background }
    const services: Services = {
      env,
      clock: store.clock,
      log,
      store,
      committer,
      projectKeys,
      ingestState: new IngestState(),
      ...rateLimitersOf(background.heartbeat),
      rejectedCounts,
      clientAddresses: createClientAddresses({ env, log }),
      ...ingestQueues(committer, log),
      startedAlone: claim.wasAlone,
      accounts: createAccounts({ store, log, env, origin }),
      readiness,
      ...readersOf(installation),
      ...artifacts,
      live: liveOf(store, readiness),
      ...background,
      housekeeping: createHousekeeping({ ...kept, maxBytes: env.maxBytes }),
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
        await Promise.all([metrics.stop(), stopBackground(background)])
        await Promise.all([committer.close(), artifacts.sourceMaps.close()])
        await installation.close()
      },
    }
    return services
  } catch (error) {
    await installation.close()
    throw error
  }
}

/** The services that only read the store, and those that trace it. */
function readersOf({
  store,
  ownTraces,
}: {
  store: Store
  ownTraces: OwnTraces
}): Pick<Services, 'reads' | 'statusPages' | 'ownTraces' | 'prefetchLimiter'> {
  const reads = createReplicaReads(store)
  return {
    reads,
    statusPages: createStatusPages({ store }),
    ownTraces,
    prefetchLimiter: createPrefetchLimiter(prefetchTiming),
  }
}

const prefetchTiming: PrefetchTiming = {
  delay: (ms) => delay(ms, undefined, { ref: false }),
  nextTick: () => nextTick(),
}

/** Streams report changes in the data that lists show, so both read the replica. */
function liveOf({ db, replica, clock }: Store, readiness: Readiness): LiveStreams {
  const changes = createPolledIssueChanges({ db: replica?.db ?? db, pollMs: limits.livePollMs })
  return createLiveStreams({ changes, clock, isStopping: () => readiness.isStopping })
}

/** Creates the rate limiters. Their clock is monotonic, unlike the wall clock. */
function rateLimitersOf({ processCount }: Heartbeat): Pick<Services, 'rateLimiter' | 'tokenRateLimiter'> {
  const rateLimiter = createRateLimiter(() => performance.now(), processCount)
  return { rateLimiter, tokenRateLimiter: createTokenRateLimiter() }
}

/** Creates the assembly and the reader of bundles, with a shared index. */
async function openArtifacts(
  store: Store,
  log: Log,
  reader: MapReader,
): Promise<Pick<Services, 'assembly' | 'sourceMaps' | 'uploadQueue'>> {
  const sourceMaps = await createSourceMaps({ store, log, reader })
  const assembly = createAssembly(store, () => sourceMaps.refresh())
  return { sourceMaps, assembly, uploadQueue: createUploadQueue() }
}

/** Opens the installation and replaces a damaged database file with a fresh one. */
async function openForServer(
  env: Env,
  log: Log,
  readPlugins: ServicesOptions['readPlugins'],
): Promise<OpenInstallation & { ownTraces: OwnTraces }> {
  const ownTraces = new OwnTraces(env.ownTracesRate, Math.random)
  const store = {
    bounds: toStoreBounds(env.maxBytes),
    log,
    // Nothing is measured if nothing is traced.
    onRead: env.ownTracesRate === 0 ? undefined : ownTraces.noteStatement,
    ...(readPlugins && { readPlugins }),
  }
  const options = { setsDamageAside: true, isServerless: env.isServerless, ...store }
  return Object.assign(await openInstallation(env, options), { ownTraces })
}

/** The key for Culvert's own errors. */
async function getBuiltInKey(projectKeys: ProjectKeys): Promise<ProjectKey> {
  const key = await projectKeys.findOfProject(builtInProjectId)
  if (key === undefined) throw new OperatorError('The built-in project has no active key.')
  return key
}

/** Clears the caches of access and keys when projects were added. */
function noteNewProjects({ accounts, projectKeys }: Services): Promise<unknown> {
  accounts.forgetViewers()
  return projectKeys.refresh()
}

/** Creates readiness with a write to the store as its probe. */
function readinessOf(store: Store, log: Log): Readiness {
  const { condition, clock } = store
  return createReadiness({ condition, probeStore: () => recordProbe(store, clock()), clock, log })
}

/** Creates the queues of ingest, and the admission that measures their waiting times. */
function ingestQueues(
  committer: Committer,
  log: Log,
): Pick<Services, 'admission' | 'bodyGate' | 'largeExports' | 'tickQueue' | 'sliceQueue'> {
  const tickQueue = new TickQueue(committer)
  const sliceQueue = new SliceQueue()
  const admission = createAdmission({
    now: () => performance.now(),
    oldestWaitMs: () =>
      Math.max(tickQueue.oldestWaitMs(), sliceQueue.oldestWaitMs(), committer.oldestWaitMs()),
    onTickEnd: (callback) => void setImmediate(callback),
    log,
  })
  const bodyGate = createBodyGate(toMemoryBounds(readMemoryBytes()))
  return { admission, bodyGate, largeExports: createLock(), tickQueue, sliceQueue }
}

/**
 * Creates services from the process's environment, for the development server and serverless hosts. Throws an
 * `OperatorError` naming every invalid variable.
 */
export async function createServicesFromEnvironment(): Promise<Services> {
  return createServices(requireEnv(process.env))
}

/** Logs that a damaged database was replaced. */
async function reportRecovery({ setAside, store }: OpenInstallation, log: Log): Promise<void> {
  if (setAside) reportSetAside(log, setAside)
  if (await cancelRestoredAlerts(store))
    log.warn({}, 'the database was restored: alerts that were pending in the backup are cancelled')
}

function reportSetAside(log: Log, { damage, path, salvaged, hasLostAccounts }: SetAside): void {
  log.error(
    { damage, salvaged, path },
    'the database is damaged or missing: a new one replaces it, with the projects, keys, accounts and settings that ' +
      'were kept or could be read; the events are lost. "culvert restore FILE" restores a backup',
  )
  if (hasLostAccounts)
    log.error(
      {},
      'no account could be kept: /setup stays closed, because there may have been an owner. Make one with "culvert user ' +
        'add EMAIL --role owner"',
    )
}

/** Runs a step once the processes that opened the data directory earlier have ended. */
function leadLater(claim: Pick<DataDirClaim, 'lead'>, step: () => Promise<void>): NodeJS.Timeout {
  const attempts = setInterval(() => {
    if (!claim.lead()) return
    clearInterval(attempts)
    // The store logs its errors. Until the next start, DSNs keep the address of the ended server.
    step().catch(() => undefined)
  }, limits.leadAttemptMs)
  return attempts.unref()
}
