/** How often relative times on a page move. Milliseconds. */
const tickMs = 30_000

const listeners = new Set<() => void>()
let skewMs: number | undefined
let readAt: number | undefined
let timer: ReturnType<typeof setInterval> | undefined

function tick(): void {
  announce(Date.now() + (skewMs ?? 0))
}

function announce(now: number): void {
  readAt = now
  for (const listener of listeners) listener()
}

/**
 * Adjusts the clock to a time that the server wrote into page data, so that a browser with a wrong clock
 * still computes correct ages.
 *
 * Page data may have waited in a cache, which makes the server appear late; every wait only lowers the
 * observed difference, so the largest difference is the most accurate.
 */
export function observeServerTime(serverNow: number): void {
  const seenMs = serverNow - Date.now()
  if (skewMs !== undefined && seenMs <= skewMs) return
  skewMs = seenMs
  // The same number: a page that has just been hydrated does not render again for a millisecond.
  announce(serverNow)
}

/** The server's time as of the last tick; undefined until the first server time was observed. */
export function readClock(): number | undefined {
  return readAt
}

/**
 * Calls the listener on every tick until the returned function is called, and when the page is shown again:
 * the timers of a hidden page, and of a machine that sleeps, are late. One timer serves all listeners.
 */
export function subscribeToClock(listener: () => void): () => void {
  listeners.add(listener)
  if (timer === undefined) {
    timer = setInterval(tick, tickMs)
    document.addEventListener('visibilitychange', tick)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
    document.removeEventListener('visibilitychange', tick)
  }
}
