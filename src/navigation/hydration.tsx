import type { RouterHistory } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'

let end = () => {}
const ended = new Promise<void>((resolve) => (end = resolve))

/**
 * Lets no navigation begin before the page of the server is hydrated. React takes up the header first and the
 * screen, which stands below a `Suspense` of the router, a little later; a screen that has left by then
 * cannot be taken up, and React would throw the page away with an error.
 */
export function holdUntilHydrated(history: RouterHistory): void {
  const release = history.block({
    // Resolves to nothing, which is to say that the navigation is not blocked.
    blockerFn: () => ended,
    enableBeforeUnload: false,
  })
  void ended.then(release)
}

/**
 * Stands in the document beside the screen: React hydrates all that stands below a `Suspense` in one go, so
 * this says when.
 */
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
