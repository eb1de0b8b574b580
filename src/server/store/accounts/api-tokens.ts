import { createHash, randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { limits } from '#server/limits.ts'
import type { Db } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'

/** A token in its owner's list. */
export interface ApiTokenRow {
  /** The hash of the token. */
  id: string
  name: string
  scopes: string[]
  /** Its last four characters. */
  ending: string
  createdAt: number
  lastUsedAt?: number
}

/**
 * Creates a token and returns it; only its hash is stored. It has the form of a Sentry user token, so that
 * sentry-cli accepts it and scanners find it when it leaks.
 */
export async function createApiToken(
  store: Store,
  { userId, name, scopes }: { userId: string; name: string; scopes: readonly string[] },
): Promise<string> {
  const token = `sntryu_${randomBytes(32).toString('hex')}`
  await store.writer
    .insertInto('api_tokens')
    .values({
      token_hash: hashToken(token),
      user_id: userId,
      name,
      scopes: JSON.stringify(scopes),
      ending: token.slice(-4),
      created_at: store.clock(),
      last_used_at: null,
    })
    .execute()
  return token
}

/** The stored data of a token. */
export interface KnownToken {
  /** The hash of the token. */
  id: string
  userId: string
  scopes: string[]
  lastUsedAt?: number
}

/** The user and the scopes of a token; undefined if it is unknown or revoked. One statement. */
export async function findApiToken(db: Db, token: string): Promise<KnownToken | undefined> {
  const row = await db
    .selectFrom('api_tokens')
    .select(['token_hash', 'user_id', 'scopes', 'last_used_at'])
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirst()
  return (
    row && {
      id: row.token_hash,
      userId: row.user_id,
      scopes: parseScopes(row.scopes),
      lastUsedAt: row.last_used_at ?? undefined,
    }
  )
}

/** The tokens of a user, newest first. One statement. */
export async function listApiTokens(db: Db, userId: string): Promise<ApiTokenRow[]> {
  const rows = await db
    .selectFrom('api_tokens')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('token_hash')
    .execute()
  return rows.map((row) => ({
    id: row.token_hash,
    name: row.name,
    scopes: parseScopes(row.scopes),
    ending: row.ending,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at ?? undefined,
  }))
}

/** Revokes a token of a user. */
export async function deleteApiToken(
  store: Store,
  { userId, id }: { userId: string; id: string },
): Promise<void> {
  await store.writer
    .deleteFrom('api_tokens')
    .where('token_hash', '=', id)
    .where('user_id', '=', userId)
    .execute()
}

/** Revokes every token of a user. */
export async function deleteApiTokens({ writer }: Store, userId: string): Promise<void> {
  await writer.deleteFrom('api_tokens').where('user_id', '=', userId).execute()
}

/** Records the use of a token, at most once per `limits.tokenUseNotedMs`. */
export async function noteTokenUse(
  store: Store,
  { id, lastUsedAt = 0 }: { id: string; lastUsedAt?: number },
): Promise<void> {
  const now = store.clock()
  if (now - lastUsedAt < limits.tokenUseNotedMs) return
  await store.writer
    .updateTable('api_tokens')
    .set({ last_used_at: now })
    .where('token_hash', '=', id)
    .execute()
}

function parseScopes(document: string): string[] {
  return v.parse(v.array(v.string()), JSON.parse(document))
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
