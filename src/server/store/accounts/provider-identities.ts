import type { Kysely } from 'kysely'
import type { Database } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'

/** The `provider_id` of identities at the configured identity provider. */
export const oidcProviderId = 'oidc'

const issuerKey = 'oidc_issuer'

/** True when an identity of the provider is connected to the user. */
export async function hasProviderIdentity(db: Kysely<Database>, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('credentials')
    .select('id')
    .where('user_id', '=', userId)
    .where('provider_id', '=', oidcProviderId)
    .executeTakeFirst()
  return row !== undefined
}

/** Disconnects the user's identity at the provider; false when none is connected. */
export async function deleteProviderIdentity({ writer }: Store, userId: string): Promise<boolean> {
  const result = await writer
    .deleteFrom('credentials')
    .where('user_id', '=', userId)
    .where('provider_id', '=', oidcProviderId)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

/**
 * Records whose identities are connected. A subject is unique at its issuer only: under another issuer than
 * the recorded one, every identity is disconnected. Returns how many were. One transaction.
 */
export async function recordIssuer({ writer }: Store, issuer: string): Promise<number> {
  return writer.transaction().execute(async (tx) => {
    const known = await tx
      .selectFrom('settings')
      .select('value')
      .where('key', '=', issuerKey)
      .executeTakeFirst()
    if (known?.value === issuer) return 0
    await tx
      .insertInto('settings')
      .values({ key: issuerKey, value: issuer })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: issuer }))
      .execute()
    if (known === undefined) return 0
    const deleted = await tx
      .deleteFrom('credentials')
      .where('provider_id', '=', oidcProviderId)
      .executeTakeFirst()
    return Number(deleted.numDeletedRows)
  })
}
