/** True for a tab in the background. */
export function isHidden(): boolean {
  return document.visibilityState === 'hidden'
}

/**
 * Calls back with the time that the tab was hidden, in milliseconds, each time it is shown again. Returns the
 * stop function.
 */
export function whenShownAgain(onShown: (wasHiddenMs: number) => void): () => void {
  const events = new AbortController()
  let hiddenAt = Number.POSITIVE_INFINITY
  const follow = () => {
    if (isHidden()) hiddenAt = performance.now()
    else onShown(performance.now() - hiddenAt)
  }
  document.addEventListener('visibilitychange', follow, { signal: events.signal })
  return () => events.abort()
}
