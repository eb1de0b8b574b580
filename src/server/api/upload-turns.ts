import { limits } from '#server/limits.ts'
import { createLock, type Lock } from '#server/store/engine/sqlite/lock.ts'
import type { Store } from '#server/store/store.ts'

interface Turns {
  lock: Lock
  waitingCount: number
}

/** By store, so that each server has its own. */
const turnsOfStores = new WeakMap<Store, Turns>()

/**
 * Lets one upload at a time into memory: runs the step when it is its turn, and answers undefined where too
 * many wait already. What waits has not been read: it lies with whoever sends it.
 */
export async function takeUploadTurn<T>(store: Store, step: () => Promise<T>): Promise<T | undefined> {
  const turns = turnsOfStores.get(store) ?? { lock: createLock(), waitingCount: 0 }
  turnsOfStores.set(store, turns)
  if (turns.waitingCount >= limits.waitingUploads) return undefined
  turns.waitingCount += 1
  await turns.lock.acquire()
  turns.waitingCount -= 1
  try {
    return await step()
  } finally {
    turns.lock.release()
  }
}
