/** A route load over its time limit: the failure page reports a timeout, with status 504 on the server. */
export class LoadTimeoutError extends Error {
  constructor(limitMs: number) {
    super(`The page did not load within ${limitMs} ms`)
    this.name = 'LoadTimeoutError'
  }
}

export interface LoadLimitOptions {
  limitMs: number
  /**
   * When the navigation that waits for this load began, on the clock of `now`; undefined for a prefetch. Read
   * again at the time limit: a navigation that joined a running prefetch has its own time.
   */
  navigationStartedAt: () => number | undefined
  now: () => number
  /** Fires when the load is no longer needed. */
  signal: AbortSignal
}

/**
 * Runs a load for at most `limitMs` after the load, or the navigation that waits for it, began. At the time
 * limit, or when `signal` fires, the load's own signal fires, and the returned promise rejects with
 * `LoadTimeoutError` or the reason of `signal` without waiting for the load.
 */
export async function withLoadLimit<T>(
  load: (signal: AbortSignal) => Promise<T>,
  { limitMs, navigationStartedAt, now, signal }: LoadLimitOptions,
): Promise<T> {
  const startedAt = now()
  const abandon = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const onAbort = () => abandon.abort(signal.reason)
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })

  function arm(): void {
    const leftMs = (navigationStartedAt() ?? startedAt) + limitMs - now()
    if (leftMs <= 0) abandon.abort(new LoadTimeoutError(limitMs))
    else timer = setTimeout(arm, leftMs)
  }

  arm()
  try {
    return await Promise.race([rejectOn(abandon.signal), load(abandon.signal)])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

async function rejectOn(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  }
  throw signal.reason
}
