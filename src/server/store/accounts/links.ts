import { createHash, randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Database, Db, Tx } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { parseIds } from './users.ts'

/** The purpose of a link: to join an organization, or to set a new password. It works once. */
export type AccountLinkPurpose =
  | { kind: 'invite'; organizationId: number; role: string; projectIds?: number[] }
  | { kind: 'password'; userId: string }

export interface NewAccountLink {
  purpose: AccountLinkPurpose
  /** A note by the user who created it. */
  note?: string
  /** The user who created it; absent if the command line did. */
  createdBy?: string
  /** Milliseconds. */
  lifetimeMs: number
}

/** A link that has not expired. */
export interface AccountLink {
  tokenHash: string
  purpose: AccountLinkPurpose
  note: string
  createdAt: number
  expiresAt: number
}

/** Creates a link and returns its token. Only the token's hash is stored. */
export async function createAccountLink(store: Store, link: NewAccountLink): Promise<string> {
  const token = randomBytes(24).toString('base64url')
  const at = store.clock()
  const { purpose } = link
  const isInvite = purpose.kind === 'invite'
  await store.writer
    .insertInto('account_links')
    .values({
      token_hash: hashToken(token),
      purpose: purpose.kind,
      organization_id: isInvite ? purpose.organizationId : null,
      role: isInvite ? purpose.role : null,
      project_ids: isInvite && purpose.projectIds !== undefined ? JSON.stringify(purpose.projectIds) : null,
      user_id: isInvite ? null : purpose.userId,
      note: link.note ?? '',
      created_by: link.createdBy ?? null,
      created_at: at,
      expires_at: at + link.lifetimeMs,
    })
    .execute()
  return token
}

/** The link with a token; undefined if there is none, it was used, or it has expired at `now`. */
export async function findAccountLink(db: Db, token: string, now: number): Promise<AccountLink | undefined> {
  const row = await db
    .selectFrom('account_links')
    .selectAll()
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row === undefined ? undefined : toAccountLink(row)
}

/** When an unused link expired; undefined if there is none with this token. */
export async function findExpiredLink(
  db: Db,
  token: string,
  now: number,
): Promise<{ expiresAt: number } | undefined> {
  const row = await db
    .selectFrom('account_links')
    .select('expires_at')
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '<=', now)
    .executeTakeFirst()
  return row === undefined ? undefined : { expiresAt: row.expires_at }
}

/** The unused invitations of an organization, newest first, including expired ones. */
export async function listInvites(db: Db, organizationId: number): Promise<AccountLink[]> {
  const rows = await db
    .selectFrom('account_links')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('purpose', '=', 'invite')
    .orderBy('created_at', 'desc')
    .orderBy('token_hash')
    .execute()
  return rows.flatMap((row) => toAccountLink(row) ?? [])
}

/** An unused invitation of an organization, possibly expired. */
export async function findInvite(
  db: Db,
  { organizationId, tokenHash }: { organizationId: number; tokenHash: string },
): Promise<AccountLink | undefined> {
  const row = await db
    .selectFrom('account_links')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('purpose', '=', 'invite')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return row === undefined ? undefined : toAccountLink(row)
}

/**
 * Gives an invitation a new token and creator, and returns the token; the old link no longer works. Undefined
 * if the invitation was used or renewed meanwhile.
 */
export async function renewInvite(
  store: Store,
  tokenHash: string,
  { lifetimeMs, createdBy }: { lifetimeMs: number; createdBy: string },
): Promise<string | undefined> {
  const token = randomBytes(24).toString('base64url')
  const result = await store.writer
    .updateTable('account_links')
    .set({ token_hash: hashToken(token), created_by: createdBy, expires_at: store.clock() + lifetimeMs })
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n ? token : undefined
}

/**
 * Revokes the unused invitations that a user has created for an organization, except those with `keptRoles`:
 * with one of them, a member who was removed could join again. Call inside a transaction.
 */
export async function deleteInvitesBy(
  tx: Tx,
  {
    organizationId,
    userId,
    keptRoles,
  }: { organizationId: number; userId: string; keptRoles: readonly string[] },
): Promise<void> {
  const invites = tx
    .deleteFrom('account_links')
    .where('organization_id', '=', organizationId)
    .where('created_by', '=', userId)
  await (keptRoles.length === 0 ? invites : invites.where('role', 'not in', keptRoles)).execute()
}

/** Deletes a link. Returns false if it was used meanwhile. Call in the transaction that applies it. */
export async function consumeAccountLink(tx: Tx, tokenHash: string): Promise<boolean> {
  const result = await tx.deleteFrom('account_links').where('token_hash', '=', tokenHash).executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** Deletes a user's links for a new password except the one with a token. */
export async function deleteOtherPasswordLinks(
  { writer }: Store,
  { userId, token }: { userId: string; token: string },
): Promise<void> {
  await writer
    .deleteFrom('account_links')
    .where('user_id', '=', userId)
    .where('token_hash', '!=', hashToken(token))
    .execute()
}

/** Deletes the link with a token. */
export async function deleteAccountLink({ writer }: Store, token: string): Promise<void> {
  await writer.deleteFrom('account_links').where('token_hash', '=', hashToken(token)).execute()
}

type AccountLinkRow = Omit<Selectable<Database['account_links']>, 'created_by'>

function toAccountLink(row: AccountLinkRow): AccountLink | undefined {
  const purpose = toPurpose(row)
  if (purpose === undefined) return undefined
  return {
    tokenHash: row.token_hash,
    purpose,
    note: row.note,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}

function toPurpose(row: AccountLinkRow): AccountLinkPurpose | undefined {
  if (row.user_id !== null) return { kind: 'password', userId: row.user_id }
  if (row.organization_id === null || row.role === null) return undefined
  return {
    kind: 'invite',
    organizationId: row.organization_id,
    role: row.role,
    ...(row.project_ids !== null && { projectIds: parseIds(row.project_ids) }),
  }
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
