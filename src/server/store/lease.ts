import type { Store } from './database.ts'

/** Work that one process at a time does, and the process that wants to. */
export interface LeaseRequest {
  name: string
  /** Unique to the process. */
  holder: string
  /** Milliseconds until others may take it, unless it is taken again before. */
  durationMs: number
}

/**
 * Takes a lease, or takes it again; false while another process has it. Keep it only as long as doing the work twice
 * would be a waste and not a fault: a process that stands still does not notice that its lease ran out.
 */
export async function takeLease(store: Store, { name, holder, durationMs }: LeaseRequest): Promise<boolean> {
  const now = store.clock()
  const lease = { holder, expires_at: now + durationMs }
  const result = await store.writer
    .insertInto('leases')
    .values({ name, ...lease })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet(lease)
        .where((is) =>
          is.or([
            is('leases.holder', '=', holder),
            is('leases.expires_at', '<=', now),
            // Taken while the clock was ahead.
            is('leases.expires_at', '>', now + durationMs),
          ]),
        ),
    )
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0) > 0
}

/** Gives a lease back so that others need not wait for its end. */
export async function releaseLease(store: Store, { name, holder }: LeaseRequest): Promise<void> {
  await store.writer.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute()
}
