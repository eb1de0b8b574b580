import type { Store } from '#server/store/store.ts'

/**
 * Deletes the second factor of a user, with its recovery codes. Returns false if the user has none. One
 * transaction.
 */
export async function deleteSecondFactor({ writer }: Store, userId: string): Promise<boolean> {
  return writer.transaction().execute(async (tx) => {
    await tx.deleteFrom('two_factors').where('user_id', '=', userId).execute()
    const changed = await tx
      .updateTable('users')
      .set({ two_factor_enabled: 0 })
      .where('id', '=', userId)
      .where('two_factor_enabled', '=', 1)
      .executeTakeFirst()
    return changed.numUpdatedRows > 0n
  })
}
