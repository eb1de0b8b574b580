import { limits } from './limits.ts'
import type { Log } from './log.ts'
import { findEndedAccess } from './store/accounts/ended-access.ts'
import { findUnavailability } from './store/errors.ts'
import type { Store } from './store/store.ts'
import { unassignWithoutAccess } from './store/triage/ended-assignments.ts'
import { reopenByTime } from './store/triage/reopening.ts'

/**
 * Changes issues without an event or a user: reopens archived issues at the end of their archive time, and
 * unassigns issues whose assignee has lost access to their project.
 */
export interface IssueTimer {
  /** Checks every `limits.issueTickMs`. */
  start(): void
  /** Checks now. Logs failures. */
  check(): Promise<void>
  /** Only reopens. Logs failures. */
  reopen(): Promise<'done' | 'failed'>
  /** Only unassigns, at most so many issues; the next call continues. Logs failures. */
  unassign(atMost?: number): Promise<'done' | 'failed'>
  stop(): Promise<void>
}

/** Creates a stopped timer. Several processes may run one each: an issue is changed once. */
export function createIssueTimer({ store, log }: { store: Store; log: Log }): IssueTimer {
  let timer: NodeJS.Timeout | undefined
  let checking: Promise<unknown> = Promise.resolve()
  /** The ended access that was last checked. The first check looks for assignees that earlier runs missed. */
  let checkedAccess: { version: string | undefined } | undefined

  const attempt = async (work: () => Promise<void>) => {
    try {
      await work()
      return 'done'
    } catch (error) {
      // The store logs its own unavailability. The next check retries.
      if (!findUnavailability(error)) log.error({ err: error }, 'issues could not be reopened or unassigned')
      return 'failed'
    }
  }
  const reopen = () =>
    attempt(async () => {
      while ((await reopenByTime(store, store.clock())) === limits.archiveEndsAtOnce);
    })
  const unassign = (atMost?: number) =>
    attempt(async () => {
      const version = await findEndedAccess(store.db)
      if (checkedAccess !== undefined && checkedAccess.version === version) return
      if (await unassignWithoutAccess(store, { now: store.clock(), atMost })) checkedAccess = { version }
    })
  const check = async () => {
    await reopen()
    await unassign()
  }
  return {
    start() {
      timer = setInterval(() => {
        checking = checking.then(check)
      }, limits.issueTickMs).unref()
    },
    check,
    reopen,
    unassign,
    async stop() {
      clearInterval(timer)
      await checking
    },
  }
}
