import type { RouterHistory } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'

let end = () => {}
const ended = new Promise<void>((resolve) => (end = resolve))

/**
 * Delays navigations until the page is hydrated. React hydrates the header first, and the screen, which is
 * below a `Suspense` of the router, in a later task. If a navigation begins in between, the screen no longer
 * matches its HTML, and React discards the page with an error.
 *
 * https://github.com/TanStack/router/issues/8233
 */
export function holdUntilHydrated(history: RouterHistory): void {
  const release = history.block({
    // Resolves to undefined: the navigation is delayed, not blocked.
    blockerFn: () => ended,
    enableBeforeUnload: false,
  })
  void ended.then(release)
}

/** Rendered next to the screen. React hydrates a `Suspense` in one go, so its effect is the signal. */
export function HydrationEnd() {
  return (
    <Suspense>
      <Mark />
    </Suspense>
  )
}

function Mark() {
  useEffect(() => end(), [])
  return null
}
