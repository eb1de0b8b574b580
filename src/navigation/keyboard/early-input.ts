/** Keys that are pressed before the code of the keyboard has loaded. */
export interface EarlyKeys {
  /** Returns the pressed keys, oldest first, and ends the recording. */
  take(): KeyboardEvent[]
}

/** Records keys, and prevents the browser's default of Ctrl+K and ⌘K. Only in the browser. */
export function recordEarlyKeys(): EarlyKeys {
  const pressed: KeyboardEvent[] = []
  const recording = new AbortController()
  const record = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key === 'k') event.preventDefault()
    pressed.push(event)
  }
  document.addEventListener('keydown', record, { signal: recording.signal })
  return {
    take() {
      recording.abort()
      return pressed
    },
  }
}
