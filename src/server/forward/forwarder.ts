import { randomUUID } from 'node:crypto'
import type { AdvertisedRateLimit } from '#protocol/rate-limits.ts'
import { limits } from '#server/limits.ts'
import type { Log } from '#server/log.ts'
import { findUnavailability } from '#server/store/errors.ts'
import type { Committer } from '#server/store/ingest/committer.ts'
import type { Store } from '#server/store/store.ts'
import { listUpstreams, readUpstreamStates } from '#server/store/upstreams/upstreams.ts'
import { UpstreamConnections, type ResolveName } from './connection.ts'
import { createDeliverySlices, type DeliverySlices } from './delivery-slice.ts'
import type { DeliveryBounds } from './delivery.ts'
import { toLeaseName } from './lease-name.ts'
import { createOutboxExpiry } from './outbox-expiry.ts'
import type { Moment } from './pace.ts'
import type { SenderContext } from './sender-context.ts'
import { UpstreamSender } from './upstream-sender.ts'

/** Forwards the envelopes in the outbox. */
export interface Forwarder {
  /** Starts sending, and checks every second for changes by other processes. */
  start(): void
  /** Call when an envelope was queued. Before the start, `deliver` sends it. */
  wake(): void
  /** For a process that does not start the forwarder. */
  deliver: DeliverySlices['deliver']
  /** The active rate limits of an upstream that this process knows. */
  listRateLimits(upstreamId: string): AdvertisedRateLimit[]
  /** Reads the upstreams again. Call it after this process has changed one. */
  refresh(): Promise<void>
  /** Starts no further requests, and resolves when those in flight have ended. */
  stop(): Promise<void>
}

/** Options that differ between callers. */
export interface ForwarderOptions {
  store: Store
  committer: Committer
  log: Log
  /** True if addresses of this machine and of private networks are allowed. */
  allowsPrivate: boolean
  /** No other process had the store open when this one opened it, so leases of a killed process are free. */
  startedAlone: boolean
  /** From 0 to below 1. */
  random: () => number
  bounds?: DeliveryBounds
  /** The system's resolver by default. */
  resolveName?: ResolveName
  /** The factor by which delays and limits pass faster; 1 by default. For tests of long delays. */
  speed?: number
}

/** Creates a forwarder without starting it. Several processes may run one each. */
export function createForwarder(options: ForwarderOptions): Forwarder {
  const { store, log, allowsPrivate, resolveName, speed = 1 } = options
  const connect = () => new UpstreamConnections({ allowsPrivate, ...(resolveName && { resolveName }) })
  const connections = connect()
  const now = () => momentOf(store, speed)
  const context: SenderContext = { ...options, speed, connections, holder: randomUUID(), now }
  const senders = new Map<string, UpstreamSender>()
  /** The shutdowns of senders whose upstream was removed. */
  const endings = new Set<Promise<void>>()
  const expiry = createOutboxExpiry(store, log, now)
  let isStarted = false
  const slices = createDeliverySlices(() => ({ ...context, connections: connect() }))
  let timer: NodeJS.Timeout | undefined
  let checking: Promise<void> = Promise.resolve()

  async function refresh(): Promise<void> {
    const upstreams = await listUpstreams(store.db)
    const states = await readUpstreamStates(store.db)
    for (const upstream of upstreams) {
      const { upstreamId } = upstream
      const state = states.get(upstreamId) ?? {}
      const known = senders.get(upstreamId)
      if (known !== undefined) known.update(upstream, state)
      else senders.set(upstreamId, new UpstreamSender(context, upstream, state))
    }
    for (const [upstreamId, sender] of senders) {
      if (upstreams.some((upstream) => upstream.upstreamId === upstreamId)) continue
      senders.delete(upstreamId)
      // Requests in flight are not awaited, which could take half a minute.
      const ending = sender.stop().finally(() => endings.delete(ending))
      endings.add(ending)
    }
    if (isStarted)
      await expiry.check(upstreams.filter(({ upstreamId }) => senders.get(upstreamId)?.isStalled()))
  }

  const refreshQuietly = createQuietCheck(refresh, log)

  function tick(): void {
    checking = refreshQuietly().finally(() => {
      if (isStarted) timer = setTimeout(tick, limits.forwardTickMs).unref()
    })
  }

  return {
    start() {
      isStarted = true
      checking = options.startedAlone ? freeLeases(store).catch(() => undefined) : Promise.resolve()
      void checking.then(tick)
    },
    wake() {
      slices.noteWork()
      if (isStarted) for (const sender of senders.values()) sender.wakeDeferred()
    },
    deliver: (bounds, when) => slices.deliver(bounds, when),
    listRateLimits: (upstreamId) => senders.get(upstreamId)?.listRateLimits() ?? [],
    async refresh() {
      slices.noteWork()
      if (isStarted) await refresh()
    },
    async stop() {
      isStarted = false
      clearTimeout(timer)
      await checking
      clearTimeout(timer)
      // Requests without an answer are aborted, and their envelopes are sent again after the next start.
      const cut = setTimeout(() => connections.close(), limits.forwardStopMs)
      await Promise.all([...endings, ...senders.values().map((sender) => sender.stop())])
      clearTimeout(cut)
      connections.close()
    },
  }
}

/** A check that never rejects. Logs the first failure of an outage, and not one every second. */
function createQuietCheck(check: () => Promise<void>, log: Log): () => Promise<void> {
  let hasFailed = false
  return async () => {
    try {
      await check()
      hasFailed = false
    } catch (error) {
      if (hasFailed) return
      hasFailed = true
      const reason = findUnavailability(error)?.reason
      log.warn(reason === undefined ? { err: error } : { reason }, 'the upstreams cannot be read')
    }
  }
}

function momentOf({ clock }: Store, speed: number): Moment {
  return { wallMs: clock(), monotonicMs: performance.now() * speed }
}

async function freeLeases(store: Store): Promise<void> {
  await store.writer
    .deleteFrom('leases')
    .where('name', 'like', `${toLeaseName('')}%`)
    .execute()
}
