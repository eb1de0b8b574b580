import { sql, type Kysely } from 'kysely'
import { limits } from '#server/limits.ts'
import type { Database } from './schema.ts'

interface TagsBeginning {
  /** Those that the reader reaches. */
  projectIds: readonly number[]
  begin: string
}

/**
 * Values of a tag that begin with a text, in alphabetical order. One statement: a seek in the index for each value, however
 * many issues have it, up to `limits.lookedThroughValues`.
 */
export async function listTagValuesBeginning(
  db: Kysely<Database>,
  { projectIds, key, begin }: TagsBeginning & { key: string },
): Promise<string[]> {
  const inReach = sql`exists (select 1 from issue_tags t where t.key = ${key} and t.value = found.name
    and t.project_id in (${sql.join([...projectIds])}))`
  const { rows } = await sql<{ name: string }>`with recursive found (name, place) as (
      select (select min(value) from issue_tags where key = ${key} and value >= ${begin}), 1
      union all
      select (select min(value) from issue_tags where key = ${key} and value > found.name), place + 1
      from found where name is not null and place < ${limits.lookedThroughValues}
    )
    select name from found where name < ${`${begin}\u{10ffff}`} and ${inReach} limit ${limits.suggestedValues}`.execute(
    db,
  )
  return rows.map(({ name }) => name)
}

/** Keys of tags that begin with a text, in alphabetical order. One statement, like the values. */
export async function listTagKeysBeginning(
  db: Kysely<Database>,
  { projectIds, begin }: TagsBeginning,
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`with recursive found (name, place) as (
      select (select min(key) from issue_tags where key >= ${begin}), 1
      union all
      select (select min(key) from issue_tags where key > found.name), place + 1
      from found where name is not null and place < ${limits.lookedThroughValues}
    )
    select name from found where name < ${`${begin}\u{10ffff}`}
      and exists (select 1 from issue_tags t where t.key = found.name
        and t.project_id in (${sql.join([...projectIds])}))
    limit ${limits.suggestedValues}`.execute(db)
  return rows.map(({ name }) => name)
}
