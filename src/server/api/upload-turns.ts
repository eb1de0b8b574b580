import { limits } from '#server/limits.ts'
import { createLock, type Lock } from '#server/store/engine/sqlite/lock.ts'
import type { Store } from '#server/store/store.ts'

interface Turns {
  lock: Lock
  waitingCount: number
}

/** One entry per store, because a process can run several servers. */
const turnsOfStores = new WeakMap<Store, Turns>()

/**
 * Runs one upload at a time, to bound memory. Returns undefined if `limits.waitingUploads` are queued. Bodies
 * of queued uploads are not read yet.
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
