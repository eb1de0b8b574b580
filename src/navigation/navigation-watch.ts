import { guardEvents, type NavigationEvents } from '#framework/guarded-events.ts'

/** The current navigation and its time limit. Created once in the browser. */
export interface NavigationWatch {
  now: () => number
  isNavigating: () => boolean
  /** When the navigation to that URL began; undefined if there is none (the load is a prefetch). */
  navigationStartedAt: (href: string) => number | undefined
  /** The URL of a navigation that exceeded the time limit, until another one begins or it ends. */
  timedOutHref: () => string | undefined
  /** The error of a router event listener, until the next navigation. */
  eventError: () => { thrown: unknown } | undefined
  /** Calls back when `timedOutHref` or `eventError` changed. Returns the unsubscribe function. */
  subscribe: (listener: () => void) => () => void
  /** Starts to listen; earlier navigations are unknown. */
  follow: (router: NavigationEvents) => void
}

/**
 * Watches the router's navigations. Page data has its own limit (`loadPageData`); this one is for the page's
 * code, which cannot be aborted.
 */
export function createNavigationWatch(limitMs: number, now: () => number): NavigationWatch {
  let current: { href: string; startedAt: number } | undefined
  let timedOut: string | undefined
  let eventError: { thrown: unknown } | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const listeners = new Set<() => void>()

  function setTimedOut(href: string | undefined): void {
    if (timedOut === href) return
    timedOut = href
    notify()
  }

  function setEventError(error: { thrown: unknown } | undefined): void {
    if (eventError === error) return
    eventError = error
    notify()
  }

  function notify(): void {
    for (const listener of listeners) listener()
  }

  function begin(href: string): void {
    current = { href, startedAt: now() }
    clearTimeout(timer)
    setTimedOut(undefined)
    setEventError(undefined)
    timer = setTimeout(() => setTimedOut(href), limitMs)
  }

  function end(): void {
    current = undefined
    clearTimeout(timer)
    setTimedOut(undefined)
  }

  return {
    now,
    isNavigating: () => current !== undefined,
    navigationStartedAt: (href) => (current?.href === href ? current.startedAt : undefined),
    timedOutHref: () => timedOut,
    eventError: () => eventError,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    follow(router) {
      router.subscribe('onBeforeNavigate', ({ toLocation }) => begin(toLocation.href))
      router.subscribe('onResolved', end)
      guardEvents(router, (thrown) => setEventError({ thrown }))
    },
  }
}
