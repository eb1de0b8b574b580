import { limits } from '#server/limits.ts'
import type { Committer } from '#server/store/committer.ts'

/** Requests that have been read, in the order in which they were. */
let waiting: (() => void)[] = []

/**
 * Resolves when everything has been read that arrived in this turn of the event loop. Of many requests only half go on then, and
 * the others a turn later, so that one half is worked on while the other is committed: all at once would wait for each other. A half is
 * counted with those that have been worked on and wait for their commit.
 */
export function endOfTurn(committer: Pick<Committer, 'waitingCount'>): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(goOn, committer)
  })
}

function goOn(committer: Pick<Committer, 'waitingCount'>): void {
  const half = Math.ceil((waiting.length + committer.waitingCount()) / 2)
  const going = waiting
  waiting = going.splice(Math.max(half, limits.workedOnTogether))
  if (waiting.length > 0) setImmediate(goOn, committer)
  // Their work follows in one go, as they have nothing else to wait for.
  for (const resolve of going) resolve()
}
