import type { QueriedServer } from './pool.ts'

/** Milliseconds between two comparisons with the server's clock. */
const compareMs = 10_000

/** Smaller differences are caused by the network: correcting them would only add jitter. */
const toleratedMs = 100

/** An estimate of a PostgreSQL server's clock. */
export interface ServerClock {
  /** Unix milliseconds. */
  now: () => number
  stop(): void
}

/** The offset to the monotonic clock of this process, in milliseconds. */
export interface ClockOffset {
  offsetMs: number
  /** The round-trip time: the offset is exact to half of it. */
  tookMs: number
}

/**
 * A clock from the monotonic clock of this process and its offset, which is updated every ten seconds. All
 * processes on a database have the same time, regardless of the clocks of their machines.
 */
export function createServerClock(server: QueriedServer, { offsetMs: first }: ClockOffset): ServerClock {
  let offsetMs = first
  const correct = async () => {
    const read = await compareClocks(server)
    // A slow answer, as after a suspension of this process or from a distant server, is imprecise.
    const inexactMs = read.tookMs / 2
    const differenceMs = read.offsetMs - offsetMs
    if (Math.abs(differenceMs) <= toleratedMs + inexactMs) return
    offsetMs += differenceMs - Math.sign(differenceMs) * inexactMs
  }
  // A failed comparison is ignored: the next one may succeed.
  const timer = setInterval(() => void correct().catch(() => undefined), compareMs).unref()
  return { now: () => Math.floor(performance.now() + offsetMs), stop: () => clearInterval(timer) }
}

/** Requests the server's time. */
export async function compareClocks(server: QueriedServer): Promise<ClockOffset> {
  const sentAt = performance.now()
  const { rows } = await server.query('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now')
  const tookMs = performance.now() - sentAt
  return { offsetMs: Number(rows[0]?.['now']) - sentAt - tookMs / 2, tookMs }
}
