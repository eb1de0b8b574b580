import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { limits } from '#server/limits.ts'
import { prepareQuery } from '#server/store/prepared-query.ts'
import type { Db, Tx } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import type { StoredSearch } from './records.ts'

interface SavedSearchesQuery {
  userId: string
  organizationIds: readonly number[]
}

const searchesOf = prepareQuery((db, { userId, organizationIds }: SavedSearchesQuery) =>
  db
    .selectFrom('saved_searches as s')
    .leftJoin('default_searches as d', (join) =>
      join.onRef('d.search_id', '=', 's.id').on('d.user_id', '=', userId),
    )
    .select(['s.id', 's.name', 's.search', 's.user_id', 's.organization_id', 'd.search_id as default_id'])
    .where((is) => is.or([is('s.user_id', '=', userId), is('s.organization_id', 'in', organizationIds)]))
    .orderBy(sql`lower(s.name)`)
    .orderBy('s.id'),
)

/** The saved searches of a user and of organizations, by name. One statement. */
export async function listSavedSearches(
  db: Db,
  { userId, organizationIds }: SavedSearchesQuery,
): Promise<StoredSearch[]> {
  const rows = await searchesOf(db, { userId, organizationIds })
  return rows.map(({ id, name, search: searchJson, organization_id: organizationId, ...row }) => {
    const [isOwn, isShared, isDefault] = [
      row.user_id === userId,
      organizationId !== null,
      row.default_id !== null,
    ]
    const stored = { id, name, searchJson, isOwn, isShared, isDefault }
    return organizationId === null ? stored : Object.assign(stored, { organizationId })
  })
}

/** The input for a new saved search. */
export interface NewSavedSearch {
  userId: string
  name: string
  search: object
  /** The organization that it is shared with; absent for a private search. */
  organizationId?: number
}

/** Saves a search, unless its creator has reached the limit. Returns its id. */
export function recordSavedSearch(
  store: Store,
  { userId, name, search, organizationId }: NewSavedSearch,
): Promise<string | undefined> {
  return store.writer.transaction().execute(async (tx) => {
    const { count } = await tx
      .selectFrom('saved_searches')
      .select((of) => of.fn.countAll<number>().as('count'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    if (count >= limits.savedSearchesPerUser) return undefined
    const id = randomUUID()
    await tx
      .insertInto('saved_searches')
      .values({
        id,
        user_id: userId,
        organization_id: organizationId ?? null,
        name,
        search: JSON.stringify(search),
        created_at: store.clock(),
      })
      .execute()
    return id
  })
}

/** A user who changes searches, with their permissions. */
export interface SearchChanger {
  userId: string
  /** Organizations whose shared searches the user can change. */
  governedOrganizations: readonly number[]
}

/** A search that the user may change: their own, or one shared with an organization that they manage. */
async function findChangeable(
  db: Db,
  id: string,
  { userId, governedOrganizations }: SearchChanger,
): Promise<{ id: string } | undefined> {
  const row = await db
    .selectFrom('saved_searches')
    .select(['id', 'user_id', 'organization_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const isGoverned = row.organization_id !== null && governedOrganizations.includes(row.organization_id)
  return row.user_id === userId || isGoverned ? row : undefined
}

/** The changes. */
export interface SavedSearchChange {
  name?: string
  search?: object
  /** Shares it with the organization; null makes it private. */
  organizationId?: number | null
}

/** Changes a search. Returns false if there is none that the user may change. */
export function recordSavedSearchChange(
  store: Store,
  id: string,
  { changer, change }: { changer: SearchChanger; change: SavedSearchChange },
): Promise<boolean> {
  return store.writer.transaction().execute(async (tx) => {
    if ((await findChangeable(tx, id, changer)) === undefined) return false
    const { name, search, organizationId } = change
    await tx
      .updateTable('saved_searches')
      .set({
        id,
        name,
        ...(search !== undefined && { search: JSON.stringify(search) }),
        organization_id: organizationId,
      })
      .where('id', '=', id)
      .execute()
    if (organizationId === null) await dropForeignDefaults(tx, id, changer.userId)
    return true
  })
}

/** A search that is no longer shared cannot remain the default of other users. */
async function dropForeignDefaults(tx: Tx, id: string, userId: string): Promise<void> {
  await tx.deleteFrom('default_searches').where('search_id', '=', id).where('user_id', '<>', userId).execute()
}

/** Deletes a search. Returns false if there is none that the user may change. */
export function recordSavedSearchDeletion(
  store: Store,
  id: string,
  changer: SearchChanger,
): Promise<boolean> {
  return store.writer.transaction().execute(async (tx) => {
    if ((await findChangeable(tx, id, changer)) === undefined) return false
    await tx.deleteFrom('saved_searches').where('id', '=', id).execute()
    return true
  })
}

/**
 * Sets or, without an id, clears the default search of a user's stream. Returns false without a change if the
 * user has no such search.
 */
export function recordDefaultSearch(
  store: Store,
  { userId, organizationIds }: { userId: string; organizationIds: readonly number[] },
  id: string | undefined,
): Promise<boolean> {
  return store.writer.transaction().execute(async (tx) => {
    if (id !== undefined) {
      const row = await tx
        .selectFrom('saved_searches')
        .select(['user_id', 'organization_id'])
        .where('id', '=', id)
        .executeTakeFirst()
      const isReached =
        row?.user_id === userId ||
        (row !== undefined && row.organization_id !== null && organizationIds.includes(row.organization_id))
      if (!isReached) return false
    }
    await tx.deleteFrom('default_searches').where('user_id', '=', userId).execute()
    if (id !== undefined)
      await tx.insertInto('default_searches').values({ user_id: userId, search_id: id }).execute()
    return true
  })
}
