interface KeyQueueOptions<Key> {
  /** `isLate`: the key was pressed earlier, when others before it were not handled yet. */
  handle: (key: Key, isLate: boolean) => void
  /** True if the next key does not need the page as the previous one leaves it. */
  isTyping: () => boolean
  /** Calls back when the result of a key is rendered. */
  afterRendering: (callback: () => void) => void
}

/** Keys, each of which applies to the page after the previous one. */
export interface KeyQueue<Key> {
  /** Handles a key immediately, or after the queued ones. */
  press(key: Key): void
  /** Discards the keys that wait. */
  drop(): void
}

/** Starts with the keys of `early`, oldest first. A key pressed meanwhile does not overtake them. */
export function createKeyQueue<Key>(
  early: readonly Key[],
  { handle, isTyping, afterRendering }: KeyQueueOptions<Key>,
): KeyQueue<Key> {
  let waiting = [...early]

  function handleNext(): void {
    const key = waiting[0]
    if (key === undefined) return
    handle(key, true)
    waiting.shift()
    if (isTyping()) handleNext()
    else afterRendering(handleNext)
  }

  handleNext()
  return {
    press(key) {
      if (waiting.length === 0) handle(key, false)
      else waiting.push(key)
    },
    drop() {
      waiting = []
    },
  }
}
