import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '#server/limits.ts'
import { listUpstreams, readUpstreamStates } from '#server/store/upstreams/upstreams.ts'
import { createOutboxExpiry } from './outbox-expiry.ts'
import type { SenderContext } from './sender-context.ts'
import { UpstreamSender } from './upstream-sender.ts'

/** The duration of a slice in milliseconds. */
interface SliceBounds {
  /** No request starts after this. A request in flight may take `limits.forwardStopMs` longer. */
  sendMs: number
  /** How long to wait for another process that sends to the same upstream. */
  awaitLeaseMs: number
}

/** Delivery by a process that starts no forwarder. */
export interface DeliverySlices {
  /** Call when an envelope was queued, or an upstream was changed. */
  noteWork(): void
  /**
   * Sends queued envelopes within these bounds. Unless `always`, does nothing without work since the last
   * call; the first call checks for envelopes that other processes have left. `failed`: the store has failed,
   * and the log has the reason. The next call then repeats the work.
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
      let result: 'done' | 'failed' = 'failed'
      try {
        // A new holder: while this process was suspended, another one may have acquired its lease.
        result = await deliverSlice({ ...createContext(), holder: randomUUID() }, bounds)
        return result
      } finally {
        if (result === 'failed') hasWork = true
      }
    },
  }
}

/**
 * Forwards queued envelopes on a host that runs nothing between requests: acquires the leases of the
 * upstreams, and releases them at the end. Also drops expired envelopes.
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
    const leaseless = senders.filter(({ sender }) => sender.isAwaitingLease && tookMs < bounds.awaitLeaseMs)
    const isSending = senders.some(({ sender }) => !sender.isIdle)
    if (tookMs >= bounds.sendMs || (!isSending && leaseless.length === 0)) break
    await sleep(isSending ? limits.forwardWakeMs : limits.forwardSliceRetryMs)
    for (const { sender } of leaseless) sender.wake()
  }
  const stalled = senders.filter(({ sender }) => sender.isStalled())
  const cut = setTimeout(() => connections.close(), limits.forwardStopMs)
  await Promise.all(senders.map(({ sender }) => sender.stop()))
  clearTimeout(cut)
  connections.close()
  await createOutboxExpiry(store, log, now).check(stalled.map(({ upstream }) => upstream))
  return senders.some(({ sender }) => sender.hasFailed) ? 'failed' : 'done'
}
