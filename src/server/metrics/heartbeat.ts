import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { limits } from '#server/limits.ts'
import type { Log } from '#server/log.ts'
import { findUnavailability } from '#server/store/errors.ts'
import {
  isAlive,
  listProcesses,
  recordHeartbeat,
  removeProcess,
  type SeenProcess,
} from '#server/store/installation/processes.ts'
import {
  parseSecretMark,
  readInstallationSecret,
  recordSecretMark,
  secretMarkKey,
  toSecretMark,
} from '#server/store/installation/secret.ts'
import { findSetting } from '#server/store/installation/settings.ts'
import type { Store } from '#server/store/store.ts'
import { minuteMs } from '#time/time-steps.ts'
import type { Metrics } from './registry.ts'

/** Announces this process to the other processes on the database, and counts them. */
export interface Heartbeat {
  /** The id of this process in `SeenProcess`. */
  readonly processId: string
  /** Number of processes that currently share the database, including this one: at least 1. */
  processCount: () => number
  /** Records this process immediately, and then every `limits.heartbeatMs`. `version`: of its build. */
  start(version: string): Promise<void>
  /** Deregisters this process. */
  stop(): Promise<void>
}

export interface HeartbeatOptions {
  store: Store
  log: Log
  origin: () => string
  /** The operator's secret: `CULVERT_SECRET`. */
  secret?: string | undefined
  /** Items received since the process began. */
  readItemCount: () => number
}

/** Creates a heartbeat that has not been started. Until then the process counts as the only one. */
export function createHeartbeat(options: HeartbeatOptions): Heartbeat {
  const { store, log, origin, readItemCount } = options
  const processId = randomUUID()
  const startedAt = store.clock() - Math.round(process.uptime() * 1000)
  let others: readonly SeenProcess[] = []
  let last = { at: performance.now(), items: readItemCount(), cpu: process.cpuUsage() }
  let timer: NodeJS.Timeout | undefined
  let beating: Promise<void> = Promise.resolve()
  const differences = createDifferences(options, processId)
  let isStopped = false

  const beat = async (version: string) => {
    const now = { at: performance.now(), items: readItemCount(), cpu: process.cpuUsage() }
    const elapsedMs = Math.max(now.at - last.at, 1)
    const cpuMs = (now.cpu.user - last.cpu.user + now.cpu.system - last.cpu.system) / 1000
    const load = {
      itemsPerMinute: Math.round(((now.items - last.items) * minuteMs) / elapsedMs),
      cpuPermille: Math.round((cpuMs * 1000) / elapsedMs),
      memoryBytes: process.memoryUsage.rss(),
    }
    last = now
    const self = { id: processId, host: hostname(), pid: process.pid, version, origin: origin() }
    try {
      await recordHeartbeat(store, { ...self, startedAt, ...load })
      others = (await listProcesses(store)).filter(({ id }) => id !== processId)
      await differences.check(others)
    } catch (error) {
      // The store logs its own unavailability. The next heartbeat follows soon.
      if (!findUnavailability(error)) log.warn({ err: error }, 'the heartbeat could not be recorded')
    }
  }

  const schedule = (version: string) => {
    if (isStopped) return
    timer = setTimeout(() => {
      beating = beat(version).finally(() => schedule(version))
    }, limits.heartbeatMs)
    // The timer does not keep the process alive.
    timer.unref()
  }

  return {
    processId,
    processCount: () => 1 + others.filter((each) => isAlive(each, store.clock())).length,
    async start(version) {
      clearTimeout(timer)
      beating = beat(version)
      await beating
      schedule(version)
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await beating
      // A process that cannot be deregistered is removed later.
      if (store.connection.isOpen) await removeProcess(store, processId).catch(() => undefined)
    },
  }
}

/** Warns once of each setting in which another process differs, although all must have the same. */
function createDifferences({ store, log, origin, secret }: HeartbeatOptions, processId: string) {
  const warned = new Set<string>()
  let ownMark: string | undefined
  const warn = (text: string, other: SeenProcess, facts: object = {}) => {
    if (warned.has(text)) return
    warned.add(text)
    log.warn({ other: `${other.host} (${other.pid})`, ...facts }, text)
  }
  /** The id of the process that started last, if its secret differs. Later ones are checked by this one. */
  const findOtherSecret = async () => {
    if (ownMark !== undefined) {
      const newest = parseSecretMark(await findSetting(store.db, secretMarkKey))
      return newest.mark === ownMark ? undefined : newest.processId
    }
    const mark = toSecretMark(await readInstallationSecret(store, secret))
    await recordSecretMark(store, { mark, processId })
    ownMark = mark
    return undefined
  }
  return {
    async check(others: readonly SeenProcess[]): Promise<void> {
      const otherId = await findOtherSecret()
      const alive = others.filter((each) => isAlive(each, store.clock()))
      const newest = alive.find(({ id }) => id === otherId)
      if (newest !== undefined) warn(otherSecretText, newest)
      const elsewhere = alive.find((each) => each.origin !== origin())
      if (elsewhere !== undefined)
        warn(otherOriginText, elsewhere, { origin: origin(), otherOrigin: elsewhere.origin })
    },
  }
}

/** DSNs with a process's own address would break when that process ends. */
const otherOriginText =
  'another process on this database has another address: set CULVERT_ORIGIN to the same one in all of them, that of ' +
  'the load balancer, because DSNs and links carry it'

const otherSecretText =
  'another process on this database has another secret: set CULVERT_SECRET to the same one in all of them, or in none, ' +
  'because each signs out the users of the other and cannot read what it has encrypted'

/** Registers the number of processes that share the database. */
export function measureProcesses(registry: Metrics, { processCount }: Heartbeat): void {
  registry.gauge(
    { name: 'culvert_processes', help: 'Processes of Culvert on this database, as this one knows.' },
    () => [{ value: processCount() }],
  )
}
