/** Why a page is prefetched: the pointer or focus is on its link, or the link is in the viewport. */
export type PrefetchReason = 'intent' | 'viewport'

export interface PrefetchQueueOptions {
  /** The current maximum of concurrent speculative loads. Call `pump` when it may have increased. */
  maxInFlight: () => number
  /** True while a navigation is loading: no speculative load starts then. */
  isNavigating: () => boolean
  /** Loads the page of that URL into the cache; ignores failures. */
  load: (href: string) => Promise<unknown>
}

export interface PrefetchQueue {
  /**
   * Requests pages, which start in the given order. A queued page moves to the front; a page in flight is not
   * changed.
   */
  request(hrefs: readonly string[], reason: PrefetchReason): void
  /** Removes a page that has not started. A load in flight continues: a navigation may have joined it. */
  withdraw(href: string): void
  /** Starts queued loads. Call it when a navigation has resolved. */
  pump(): void
  readonly inFlightCount: number
  readonly waitingCount: number
}

/**
 * A queue of speculative page loads: intent before viewport, the newest request first within each, at most
 * `maxInFlight` in parallel and none started while a navigation is loading.
 */
export function createPrefetchQueue({
  maxInFlight,
  isNavigating,
  load,
}: PrefetchQueueOptions): PrefetchQueue {
  const waiting: Record<PrefetchReason, Set<string>> = { intent: new Set(), viewport: new Set() }
  const inFlight = new Set<string>()

  function pump(): void {
    while (inFlight.size < maxInFlight() && !isNavigating()) {
      const href = takeNewest(waiting.intent) ?? takeNewest(waiting.viewport)
      if (href === undefined) return
      start(href)
    }
  }

  function start(href: string): void {
    inFlight.add(href)
    const settle = () => {
      inFlight.delete(href)
      pump()
    }
    load(href).then(settle, settle)
  }

  function add(href: string, reason: PrefetchReason): void {
    if (inFlight.has(href)) return
    if (reason === 'viewport' && waiting.intent.has(href)) return
    waiting.intent.delete(href)
    waiting.viewport.delete(href)
    waiting[reason].add(href)
  }

  return {
    request(hrefs, reason) {
      for (const href of hrefs.toReversed()) add(href, reason)
      pump()
    },
    withdraw(href) {
      waiting.intent.delete(href)
      waiting.viewport.delete(href)
    },
    pump,
    get inFlightCount() {
      return inFlight.size
    },
    get waitingCount() {
      return waiting.intent.size + waiting.viewport.size
    },
  }
}

/** A Set keeps insertion order, so the newest is the last one. */
function takeNewest(hrefs: Set<string>): string | undefined {
  const newest = [...hrefs].at(-1)
  if (newest !== undefined) hrefs.delete(newest)
  return newest
}
