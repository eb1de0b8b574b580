import type { StoreCondition } from '#server/store/condition.ts'
import { retryWhileBusy } from '#server/store/engine/sqlite/busy-wait.ts'
import type { LockedProjects, WriteGate } from '#server/store/engine/write-gate.ts'
import { findUnavailability } from '#server/store/errors.ts'
import type { SyncConnection } from './sync-connection.ts'

/** A gate before the writing connection: those of ingest run in parallel to other projects. */
export function createProjectGate(connection: SyncConnection, condition: StoreCondition): WriteGate {
  let locked: LockedProjects | undefined
  return {
    get locked() {
      return locked
    },
    async begin(isWorthWaiting, toWanted) {
      locked = undefined
      try {
        await retryWhileBusy(async () => {
          if (toWanted === undefined) await connection.beginExclusive()
          else locked = await connection.beginForProjects(toWanted())
        }, isWorthWaiting)
        return undefined
      } catch (error) {
        const unavailable = findUnavailability(error)
        if (unavailable === undefined) throw error
        condition.noteFailure(unavailable)
        return unavailable
      }
    },
    fold: (run) => connection.fold(run),
  }
}
