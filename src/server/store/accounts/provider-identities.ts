import type { Db } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'

/** The `provider_id` of identities of the configured identity provider. */
export const oidcProviderId = 'oidc'

const issuerKey = 'oidc_issuer'

/** True if an identity of the provider is linked to the user. */
export async function hasProviderIdentity(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('credentials')
    .select('id')
    .where('user_id', '=', userId)
    .where('provider_id', '=', oidcProviderId)
    .executeTakeFirst()
  return row !== undefined
}

/** Unlinks the user's identity at the provider. Returns false if none is linked. */
export async function deleteProviderIdentity({ writer }: Store, userId: string): Promise<boolean> {
  const result = await writer
    .deleteFrom('credentials')
    .where('user_id', '=', userId)
    .where('provider_id', '=', oidcProviderId)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

/**
 * Records the issuer of the linked identities. A subject is unique only within its issuer: if the issuer
 * differs from the recorded one, every identity is unlinked. Returns the number of unlinked identities. One
 * transaction.
 */
export async function recordIssuer({ writer }: Store, issuer: string): Promise<number> {
  return writer.transaction().execute(async (tx) => {
    const known = await tx
      .selectFrom('settings')
      .select('value')
      .where('key', '=', issuerKey)
      .executeTakeFirst()
    if (known !== undefined && withoutSlash(known.value) === withoutSlash(issuer)) return 0
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

/** Both forms lead to the same discovery document. */
function withoutSlash(issuer: string): string {
  return issuer.replace(/\/$/, '')
}
