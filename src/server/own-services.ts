import { createSetupToken } from './auth/new-accounts.ts'
import { errorMessage, OperatorError, ReadOnlyDiskError } from './errors.ts'
import type { Log } from './log.ts'
import type { Services } from './services.ts'

/**
 * Why an entry has no services: nothing can be written to the data directory, or whatever else the log says.
 */
export type ClosedReason = 'read_only_disk' | 'cannot_start'

export type OwnServices = { isOpen: true; services: Services } | { isOpen: false; reason: ClosedReason }

/**
 * The services of an entry that nobody passes any to. They are opened when first asked for and shared from
 * then on. What failed is tried again at the next request, so a file that was busy costs no restart; the log
 * hears of each problem once.
 */
export function createOwnServices(options: {
  open: () => Promise<Services>
  log: Pick<Log, 'error'>
}): () => Promise<OwnServices> {
  let opening: Promise<OwnServices> | undefined
  let toldProblem: string | undefined

  async function open(): Promise<OwnServices> {
    try {
      const services = await options.open()
      await tellSetupPath(services)
      return { isOpen: true, services }
    } catch (thrown) {
      opening = undefined
      const problem = errorMessage(thrown)
      // Only what is no operator's error is a bug, whose stack helps.
      if (problem !== toldProblem)
        options.log.error(thrown instanceof OperatorError ? { problem } : { err: thrown }, 'cannot start')
      toldProblem = problem
      return {
        isOpen: false,
        reason: thrown instanceof ReadOnlyDiskError ? 'read_only_disk' : 'cannot_start',
      }
    }
  }

  return () => (opening ??= open())
}

/** Where nothing is printed at the start, the log is where an operator finds the way to the first account. */
async function tellSetupPath({ store, log }: Services): Promise<void> {
  const token = await createSetupToken(store)
  if (token !== undefined)
    log.warn({ path: `/setup?token=${token}` }, 'no account exists yet: create the owner account')
}
