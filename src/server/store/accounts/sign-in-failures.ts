import { limits } from '#server/limits.ts'
import type { Db, Tx } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'

/** The counted failures of a name. */
export interface FailureCount {
  count: number
  /** Unix milliseconds. */
  lastAt: number
}

/** The failures of each name that has any. One statement. */
export async function readFailures(db: Db, nameHashes: string[]): Promise<ReadonlyMap<string, FailureCount>> {
  const rows = await db
    .selectFrom('sign_in_failures')
    .select(['name_hash', 'failure_count', 'last_at'])
    .where('name_hash', 'in', nameHashes)
    .execute()
  return new Map(rows.map((row) => [row.name_hash, { count: row.failure_count, lastAt: row.last_at }]))
}

/** A row to write: the new count of a name, and when it expires. */
export interface NewCount {
  nameHash: string
  count: number
  /** Unix milliseconds. */
  forgetAt: number
}

/**
 * Counts an attempt before its password is checked. `decide` receives the current counts and returns the new
 * ones, or undefined if the attempt has to wait; in that case nothing changes and the result is false. One
 * transaction, so that each of several simultaneous attempts sees the earlier ones.
 */
export async function recordTry(
  { writer, clock }: Store,
  nameHashes: string[],
  decide: (known: ReadonlyMap<string, FailureCount>) => NewCount[] | undefined,
): Promise<boolean> {
  return writer.transaction().execute(async (tx) => {
    const counts = decide(await readFailures(tx, nameHashes))
    if (counts === undefined) return false
    const now = clock()
    for (const { nameHash, count, forgetAt } of counts) {
      const changed = { failure_count: count, last_at: now, forget_at: forgetAt }
      await tx
        .insertInto('sign_in_failures')
        .values({ name_hash: nameHash, ...changed })
        .onConflict((conflict) => conflict.column('name_hash').doUpdateSet(changed))
        .execute()
    }
    await deleteForgotten(tx, now)
    return true
  })
}

/**
 * Undoes a counted attempt: deletes all failures of the `cleared` names, and one failure of the `lessened`
 * names. One transaction.
 */
export async function retractAttempt(
  { writer }: Store,
  { cleared, lessened }: { cleared: string[]; lessened: string[] },
): Promise<void> {
  await writer.transaction().execute(async (tx) => {
    if (cleared.length > 0)
      await tx.deleteFrom('sign_in_failures').where('name_hash', 'in', cleared).execute()
    if (lessened.length === 0) return
    await tx
      .updateTable('sign_in_failures')
      .set((is) => ({ failure_count: is('failure_count', '-', 1) }))
      .where('name_hash', 'in', lessened)
      .where('failure_count', '>', 0)
      .execute()
  })
}

/** Deletes expired rows, and, above the limit, those that expire first. */
async function deleteForgotten(tx: Tx, now: number): Promise<void> {
  await tx.deleteFrom('sign_in_failures').where('forget_at', '<', now).execute()
  const counted = await tx
    .selectFrom('sign_in_failures')
    .select((of) => of.fn.countAll<number>().as('rows'))
    .executeTakeFirst()
  const surplus = (counted?.rows ?? 0) - limits.signInNames
  if (surplus <= 0) return
  await tx
    .deleteFrom('sign_in_failures')
    .where('name_hash', 'in', (is) =>
      is.selectFrom('sign_in_failures').select('name_hash').orderBy('forget_at').limit(surplus),
    )
    .execute()
}

/**
 * Records the time step of an accepted code. Returns false if it or a later one has already been accepted: of
 * simultaneous uses of one step, only one is accepted.
 */
export async function recordUsedStep(
  { writer }: Store,
  { userId, step }: { userId: string; step: number },
): Promise<boolean> {
  const result = await writer
    .updateTable('two_factors')
    .set({ last_used_step: step })
    .where('user_id', '=', userId)
    .where((is) => is.or([is('last_used_step', 'is', null), is('last_used_step', '<', step)]))
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}
