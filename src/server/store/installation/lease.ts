import { randomUUID } from 'node:crypto'
import { limits } from '#server/limits.ts'
import type { Store } from '#server/store/store.ts'

/** This process, among those that have the file open. */
const holder = randomUUID()

/** What came of work under a lease. */
export type LeasedWork<Result> = { isDone: true; result: Result } | { isDone: false }

/**
 * Does work that one process at a time shall do; does nothing while another process is at it. A process that
 * vanishes has the lease for `limits.leaseMs` more.
 *
 * Use it only where doing the work twice would be a waste and not a fault: a process that stood still does
 * not notice that its lease ran out.
 */
export async function doWithLease<Result>(
  store: Store,
  name: string,
  work: () => Promise<Result>,
): Promise<LeasedWork<Result>> {
  if (!(await takeLease(store, name, holder))) return { isDone: false }
  const renewal = setInterval(() => {
    // A lease that cannot be renewed runs out, which does no harm.
    takeLease(store, name, holder).catch(() => {})
  }, limits.leaseMs / 3)
  try {
    return { isDone: true, result: await work() }
  } finally {
    clearInterval(renewal)
    if (store.sqlite.isOpen) await releaseLease(store, name, holder)
  }
}

/** Takes a lease, or takes it again; false while another holder has it. */
export async function takeLease(store: Store, name: string, by: string): Promise<boolean> {
  const now = store.clock()
  const lease = { holder: by, expires_at: now + limits.leaseMs }
  const result = await store.writer
    .insertInto('leases')
    .values({ name, ...lease })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet(lease)
        .where((is) =>
          is.or([
            is('leases.holder', '=', by),
            is('leases.expires_at', '<=', now),
            // Taken while the clock was ahead.
            is('leases.expires_at', '>', now + limits.leaseMs),
          ]),
        ),
    )
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0) > 0
}

/**
 * Gives a lease back, so that another process need not wait until it runs out. Does nothing when somebody
 * else has it.
 */
export async function releaseLease(store: Store, name: string, by: string): Promise<void> {
  await store.writer.deleteFrom('leases').where('name', '=', name).where('holder', '=', by).execute()
}
