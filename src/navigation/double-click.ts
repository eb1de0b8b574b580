let listening: AbortController | undefined

/**
 * Ignores the second click of a double click after the first one was handled, because another control may be
 * at the same position by then. Only in the browser.
 */
export function ignoreDoubleClick(): void {
  listening?.abort()
  const events = new AbortController()
  listening = events
  document.addEventListener(
    'click',
    (event) => {
      // Clicks by keyboard have a detail of 0.
      if (event.detail <= 1) events.abort()
      else {
        event.preventDefault()
        event.stopImmediatePropagation()
      }
    },
    { capture: true, signal: events.signal },
  )
}
