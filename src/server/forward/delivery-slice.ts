import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '#server/limits.ts'
import { listUpstreams, readUpstreamStates } from '#server/store/upstreams/upstreams.ts'
import { createOutboxExpiry } from './outbox-expiry.ts'
import type { SenderContext } from './sender-context.ts'
import { UpstreamSender } from './upstream-sender.ts'

/** How long a slice may take. Milliseconds. */
interface SliceBounds {
  /** No request starts after this. One in flight then may take `limits.forwardStopMs` longer. */
  sendMs: number
  /** For another process that sends to the same upstream. */
  awaitLeaseMs: number
}

/** Deliveries of a process that starts no forwarder. */
export interface DeliverySlices {
  /** Call when something was added to the outbox, or an upstream was changed. */
  noteWork(): void
  /**
   * Sends what waits, within these bounds. Unless `always`, does nothing without work since the last time;
   * the first time there may be what other processes have left. `failed`: the store has; the log says why.
   */
  deliver(bounds: SliceBounds, when?: 'always'): Promise<'done' | 'failed'>
}

/** Each slice has its own connections, which it closes. */
export function createDeliverySlices(createContext: () => SenderContext): DeliverySlices {
  let hasWork = true
  return {
    noteWork() {
      hasWork = true
    },
    async deliver(bounds, when) {
      if (!hasWork && when !== 'always') return 'done'
      hasWork = false
      // A new holder: while this process was suspended, another one may have acquired its lease.
      return deliverSlice({ ...createContext(), holder: randomUUID() }, bounds)
    },
  }
}

/**
 * Sends on what waits in the outbox, for a host that runs nothing between requests: everything is sent under
 * the leases of the upstreams, which are released at the end. Also drops what has become too old.
 */
async function deliverSlice(context: SenderContext, bounds: SliceBounds): Promise<'done' | 'failed'> {
  const { store, connections, log, now } = context
  const upstreams = await listUpstreams(store.db)
  if (upstreams.length === 0) return 'done'
  const states = await readUpstreamStates(store.db)
  const senders = upstreams.map((upstream) => {
    const sender = new UpstreamSender(context, upstream, states.get(upstream.upstreamId) ?? {})
    return { upstream, sender }
  })
  const beganAtMs = performance.now()
  for (const { sender } of senders) sender.wake()
  for (;;) {
    const tookMs = performance.now() - beganAtMs
    const refused = senders.filter(({ sender }) => sender.isRefused && tookMs < bounds.awaitLeaseMs)
    const isSending = senders.some(({ sender }) => !sender.isIdle)
    if (tookMs >= bounds.sendMs || (!isSending && refused.length === 0)) break
    await sleep(isSending ? limits.forwardWakeMs : limits.forwardSliceRetryMs)
    for (const { sender } of refused) sender.wake()
  }
  const heldUp = senders.filter(({ sender }) => sender.isHeldUp())
  const cut = setTimeout(() => connections.close(), limits.forwardStopMs)
  await Promise.all(senders.map(({ sender }) => sender.stop()))
  clearTimeout(cut)
  connections.close()
  await createOutboxExpiry(store, log, now).look(heldUp.map(({ upstream }) => upstream))
  return senders.some(({ sender }) => sender.hasFailed) ? 'failed' : 'done'
}
