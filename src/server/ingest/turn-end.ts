let turnEnd: Promise<void> | undefined

/**
 * Resolves when everything has been read that arrived in this turn of the event loop. Whoever waits in one turn waits for the
 * same promise: they go on one right after the other, and the loop has one callback to make for all of them.
 */
export function endOfTurn(): Promise<void> {
  turnEnd ??= new Promise((resolve) => {
    setImmediate(() => {
      turnEnd = undefined
      resolve()
    })
  })
  return turnEnd
}
