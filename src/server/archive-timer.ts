import { limits } from './limits.ts'
import type { Log } from './log.ts'
import { findUnavailability } from './store/errors.ts'
import type { Store } from './store/store.ts'
import { reopenByTime } from './store/triage/reopening.ts'

/** Reopens archived issues at the end of their archive time, even if no event arrives. */
export interface ArchiveTimer {
  /** Checks every `limits.archiveTickMs`. */
  start(): void
  /** Checks now. Logs failures. */
  check(): Promise<'done' | 'failed'>
  stop(): Promise<void>
}

/** Creates a stopped timer. Several processes may run one each: an issue reopens once. */
export function createArchiveTimer({ store, log }: { store: Store; log: Log }): ArchiveTimer {
  let timer: NodeJS.Timeout | undefined
  let checking: Promise<unknown> = Promise.resolve()

  const check = async () => {
    try {
      while ((await reopenByTime(store, store.clock())) === limits.archiveEndsAtOnce);
      return 'done'
    } catch (error) {
      // The store logs its own unavailability. The next check retries.
      if (!findUnavailability(error)) log.error({ err: error }, 'archived issues could not be reopened')
      return 'failed'
    }
  }
  return {
    start() {
      timer = setInterval(() => {
        checking = check()
      }, limits.archiveTickMs).unref()
    },
    check,
    async stop() {
      clearInterval(timer)
      await checking
    },
  }
}
