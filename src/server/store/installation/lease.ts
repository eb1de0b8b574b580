import { randomUUID } from 'node:crypto'
import { limits } from '#server/limits.ts'
import type { Store } from '#server/store/store.ts'

/** The result of work under a lease. */
export type LeasedWork<Result> = { isDone: true; result: Result } | { isDone: false }

/**
 * Runs work that should be done once at a time; skips it while this or another process does it. A process
 * that dies holds the lease for up to `limits.leaseMs`.
 *
 * Use it only where doing the work twice is wasteful but not wrong: a suspended process does not notice that
 * its lease has expired.
 */
export async function doWithLease<Result>(
  store: Store,
  name: string,
  work: () => Promise<Result>,
): Promise<LeasedWork<Result>> {
  // Not of the process: the cron route, for example, may be requested twice at the same time.
  const holder = randomUUID()
  if (!(await takeLease(store, name, holder))) return { isDone: false }
  const renewal = setInterval(() => {
    // A lease that cannot be renewed expires, which is harmless.
    takeLease(store, name, holder).catch(() => {})
  }, limits.leaseMs / 3)
  try {
    return { isDone: true, result: await work() }
  } finally {
    clearInterval(renewal)
    // One that cannot be released expires, and the work is done.
    if (store.connection.isOpen) await releaseLease(store, name, holder).catch(() => undefined)
  }
}

/** Acquires or renews a lease. Returns false while another holder has it. */
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
            // The lease was acquired while the clock was ahead. Clocks of processes differ by a fraction of a
            // second.
            is('leases.expires_at', '>', now + 2 * limits.leaseMs),
          ]),
        ),
    )
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0) > 0
}

/** Releases a lease before it expires. Does nothing if another process holds it. */
export async function releaseLease(store: Store, name: string, by: string): Promise<void> {
  await store.writer.deleteFrom('leases').where('name', '=', name).where('holder', '=', by).execute()
}
