import { limits } from '#server/limits.ts'
import { createLock } from '#server/store/engine/sqlite/lock.ts'

/** Stores one uploaded chunk at a time, to bound memory. */
export interface UploadQueue {
  /** Resolves with the result of `step`, or with undefined if `limits.waitingUploads` are queued. */
  run<T>(step: () => Promise<T>): Promise<T | undefined>
}

/** Creates the queue of a server. */
export function createUploadQueue(): UploadQueue {
  const lock = createLock()
  let waitingCount = 0
  return {
    async run(step) {
      if (waitingCount >= limits.waitingUploads) return undefined
      waitingCount += 1
      await lock.acquire()
      waitingCount -= 1
      try {
        return await step()
      } finally {
        lock.release()
      }
    },
  }
}
