/** Keys and clicks before the code of the keyboard has loaded. */
export interface EarlyInput {
  /** Returns the events, oldest first, and ends the recording. */
  take(): (KeyboardEvent | MouseEvent)[]
}

/** Records keys and clicks, and prevents the browser's default of Ctrl+K and ⌘K. Only in the browser. */
export function recordEarlyInput(): EarlyInput {
  const events: (KeyboardEvent | MouseEvent)[] = []
  const recording = new AbortController()
  const record = (event: KeyboardEvent | MouseEvent) => {
    if ((event.ctrlKey || event.metaKey) && 'key' in event && event.key === 'k') event.preventDefault()
    events.push(event)
  }
  for (const type of ['keydown', 'click'] as const)
    document.addEventListener(type, record, { signal: recording.signal })
  return {
    take() {
      recording.abort()
      return events
    },
  }
}
