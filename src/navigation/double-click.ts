let listening: AbortController | undefined

/**
 * Ignores the second click of a double click whose first one has just been used: by then another control can
 * be in the same place. The next single click, here or elsewhere, counts again. Only in the browser.
 */
export function ignoreDoubleClick(): void {
  listening?.abort()
  const events = new AbortController()
  listening = events
  document.addEventListener(
    'click',
    (event) => {
      // Keys make clicks with a detail of 0.
      if (event.detail <= 1) events.abort()
      else {
        event.preventDefault()
        event.stopImmediatePropagation()
      }
    },
    { capture: true, signal: events.signal },
  )
}
