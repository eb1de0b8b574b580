import type { QueriedServer } from './pool.ts'

/** Milliseconds between two comparisons with the clock of the server. */
const compareMs = 10_000

/** Smaller differences come from the network: corrections would only make times jitter. */
const toleratedMs = 100

/** The clock of a PostgreSQL server, as this process knows it. */
export interface ServerClock {
  /** Unix milliseconds. */
  now: () => number
  stop(): void
}

/** The offset to the monotonic clock of this process, in milliseconds. */
export interface ClockOffset {
  offsetMs: number
  /** The time of the question and its answer: the offset is exact to half of it. */
  tookMs: number
}

/**
 * Makes a clock of the monotonic clock of this process and its offset, which is compared every ten seconds.
 * So all processes on a database have the same time whatever their machines show.
 */
export function createServerClock(server: QueriedServer, { offsetMs: first }: ClockOffset): ServerClock {
  let offsetMs = first
  const correct = async () => {
    const read = await compareClocks(server)
    const isExact = read.tookMs <= toleratedMs
    // An answer that took long, as after a suspension of this process, says little.
    if (isExact && Math.abs(read.offsetMs - offsetMs) > toleratedMs) offsetMs = read.offsetMs
  }
  // The next comparison may succeed.
  const timer = setInterval(() => void correct().catch(() => undefined), compareMs).unref()
  return { now: () => Math.floor(performance.now() + offsetMs), stop: () => clearInterval(timer) }
}

/** Requests the server's time. */
export async function compareClocks(server: QueriedServer): Promise<ClockOffset> {
  const askedAt = performance.now()
  const { rows } = await server.query('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now')
  const tookMs = performance.now() - askedAt
  return { offsetMs: Number(rows[0]?.['now']) - askedAt - tookMs / 2, tookMs }
}
