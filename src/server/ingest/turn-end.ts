import { limits } from '#server/limits.ts'
import type { Committer } from '#server/store/ingest/committer.ts'

interface Waiting {
  /** By the monotonic clock. */
  since: number
  goOn: () => void
}

/** Requests that have been read, in the order in which they were. */
let waiting: Waiting[] = []

/**
 * Resolves when everything has been read that arrived in this turn of the event loop. Of many requests only
 * half go on then, and the others in the turns after it, so that one half is worked on while the other is
 * committed: all at once would wait for each other. A half is counted with those that have been worked on and
 * wait for their commit.
 */
export function endOfTurn(committer: Pick<Committer, 'waitingCount'>): Promise<void> {
  return new Promise((goOn) => {
    if (waiting.push({ since: performance.now(), goOn }) === 1) setImmediate(endTurn, committer)
  })
}

/** Milliseconds for which the oldest of these requests has waited; 0 when none waits. */
export function oldestTurnWaitMs(): number {
  const [oldest] = waiting
  return oldest === undefined ? 0 : performance.now() - oldest.since
}

function endTurn(committer: Pick<Committer, 'waitingCount'>): void {
  const half = Math.ceil((waiting.length + committer.waitingCount()) / 2)
  const going = waiting
  waiting = going.splice(Math.max(half, limits.workedOnTogether))
  if (waiting.length > 0) setImmediate(endTurn, committer)
  // Their work follows in one go, as they have nothing else to wait for.
  for (const { goOn } of going) goOn()
}
