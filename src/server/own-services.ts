import { createSetupToken } from './auth/new-accounts.ts'
import { errorMessage, OperatorError, ReadOnlyDiskError, SchemaError } from './errors.ts'
import type { Log } from './log.ts'
import type { Services } from './services.ts'

/** The reason why an entry has no services. The log has the details of `cannot_start`. */
export type ClosedReason = 'no_database' | 'wrong_schema' | 'cannot_start'

export type OwnServices = { isOpen: true; services: Services } | { isOpen: false; reason: ClosedReason }

/**
 * Creates the services of an entry that receives none. They are opened at the first request and then shared.
 * After a failure the next request retries, so that a busy file needs no restart; each problem is logged
 * once.
 */
export function createOwnServices(options: {
  open: () => Promise<Services>
  log: Pick<Log, 'error'>
}): () => Promise<OwnServices> {
  let opening: Promise<OwnServices> | undefined
  let reportedProblem: string | undefined

  async function open(): Promise<OwnServices> {
    try {
      const services = await options.open()
      await tellSetupPath(services)
      warnOfAddress(services)
      return { isOpen: true, services }
    } catch (thrown) {
      opening = undefined
      const problem = errorMessage(thrown)
      // An operator's error needs no stack.
      if (problem !== reportedProblem)
        options.log.error(thrown instanceof OperatorError ? { problem } : { err: thrown }, 'cannot start')
      reportedProblem = problem
      return { isOpen: false, reason: reasonOf(thrown) }
    }
  }

  return () => (opening ??= open())
}

function reasonOf(thrown: unknown): ClosedReason {
  if (thrown instanceof ReadOnlyDiskError) return 'no_database'
  return thrown instanceof SchemaError ? 'wrong_schema' : 'cannot_start'
}

/** Such an entry prints nothing at start, so the path for creating the first account is logged. */
async function tellSetupPath({ store, log }: Services): Promise<void> {
  const token = await createSetupToken(store)
  if (token !== undefined)
    log.warn({ path: `/setup?token=${token}` }, 'no account exists yet: create the owner account')
}

/** A server has an address that it listens on; a function does not know the one of its deployment. */
function warnOfAddress({ env, log, publicOrigin }: Services): void {
  if (!env.isServerless || env.origin !== undefined) return
  log.warn(
    { origin: publicOrigin },
    'DSNs and links have an address that leads to no server: set CULVERT_ORIGIN to that of the deployment',
  )
}
