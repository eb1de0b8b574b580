import { limits } from './limits.ts'
import type { Log } from './log.ts'
import { findUnavailability } from './store/errors.ts'
import type { Store } from './store/store.ts'
import { reopenByTime } from './store/triage/reopening.ts'

/** Reopens archived issues at their time, also while no event arrives. */
export interface ArchiveTimer {
  /** Looks every `limits.archiveTickMs` from now on. */
  start(): void
  stop(): Promise<void>
}

/** A clock that has not been started. Several processes may run one each: who comes second finds nothing. */
export function createArchiveTimer({ store, log }: { store: Store; log: Log }): ArchiveTimer {
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> = Promise.resolve()

  const look = async () => {
    try {
      while ((await reopenByTime(store, store.clock())) === limits.archiveEndsAtOnce);
    } catch (error) {
      // The store says by itself when it cannot be written; the next look tries again.
      if (!findUnavailability(error)) log.error({ err: error }, 'archived issues could not be reopened')
    }
  }
  return {
    start() {
      timer = setInterval(() => {
        looking = look()
      }, limits.archiveTickMs).unref()
    },
    async stop() {
      clearInterval(timer)
      await looking
    },
  }
}
