import { sql, type RawBuilder } from 'kysely'
import { limits } from '#server/limits.ts'
import type { Db } from '#server/store/schema/database.ts'

interface Beginning {
  /** Projects that the reader has access to. Values of other projects are neither returned nor scanned. */
  projectIds: readonly number[]
  begin: string
  /** Maximum number of results; `limits.suggestedValues` by default. */
  limit?: number
}

/**
 * Values of a tag or a trait that begin with a text, in alphabetical order. One statement: an index seek per
 * value.
 */
export async function listTagValuesBeginning(
  db: Db,
  {
    key,
    table = 'issue_tags',
    ...beginning
  }: Beginning & { key: string; table?: 'issue_tags' | 'issue_traits' },
): Promise<string[]> {
  const next = (bound: RawBuilder<unknown>) => sql`(select min(t.value) from ${sql.table(table)} t
    where t.project_id = p.id and t.key = ${key} and t.value ${bound})`
  return listBeginning(db, beginning, next)
}

/** Tag keys that begin with a text, in alphabetical order. One statement: an index seek per key. */
export async function listTagKeysBeginning(db: Db, beginning: Beginning): Promise<string[]> {
  return listBeginning(db, beginning, selectNextKey)
}

function selectNextKey(bound: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select min(t.key) from issue_tags t where t.project_id = p.id and t.key ${bound})`
}

/**
 * Finds the smallest name in all projects, then the next one, and so on; `next` selects the next name of the
 * project `p`.
 */
async function listBeginning(
  db: Db,
  { projectIds, begin, limit = limits.suggestedValues }: Beginning,
  next: (bound: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<string[]> {
  if (projectIds.length === 0) return []
  const least = (bound: RawBuilder<unknown>) =>
    sql`(select min(${next(bound)}) from projects p where p.id in (${sql.join([...projectIds])}))`
  const beyond = `${begin}\u{10ffff}`
  const { rows } = await sql<{ name: string }>`with recursive found (name, place) as (
      select ${least(sql`>= ${begin}`)}, 1
      union all
      select ${least(sql`> found.name`)}, place + 1 from found where name < ${beyond} and place < ${limit}
    )
    select name from found where name < ${beyond}`.execute(db)
  return rows.map(({ name }) => name)
}
