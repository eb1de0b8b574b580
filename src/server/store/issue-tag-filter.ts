import { sql } from 'kysely'
import type { ExpressionBuilder, Kysely } from 'kysely'
import { limits } from '#server/limits.ts'
import type { Database } from './schema.ts'

/** A tag that an event of the issue must have. */
export type Tag = readonly [key: string, value: string]

/** Tags by which the stream is filtered, and how their issues are best found. */
export interface TagFilter {
  /**
   * Few issues have this one: the stream starts from them and sorts them. Absent when every tag is frequent: then the
   * stream walks in its order, and a page is soon full.
   */
  rare?: Tag
  /** To be looked up for each issue. */
  others: Tag[]
}

/** Decides from where the stream is read. One statement, by index, which counts no further than `limits.rareTagIssues`. */
export async function chooseTagFilter(db: Kysely<Database>, tags: readonly Tag[]): Promise<TagFilter> {
  const [first, ...rest] = tags.map((tag) => selectIssueCount(db, tag))
  if (first === undefined) return { others: [] }
  const counts = await rest.reduce((all, one) => all.unionAll(one), first).execute()
  const places = counts.map(({ issue_count }, index) => ({ issueCount: issue_count, index }))
  const rarest = places.toSorted((one, other) => one.issueCount - other.issueCount)[0]
  if (rarest === undefined || rarest.issueCount > limits.rareTagIssues) return { others: [...tags] }
  const rare = tags[rarest.index]
  return { ...(rare !== undefined && { rare }), others: tags.filter((tag) => tag !== rare) }
}

function selectIssueCount(db: Kysely<Database>, [key, value]: Tag) {
  const some = db
    .selectFrom('issue_tags')
    .select('issue_id')
    .where('key', '=', key)
    .where('value', '=', value)
    .limit(limits.rareTagIssues + 1)
  return db.selectFrom(some.as('t')).select((of) => of.fn.countAll<number>().as('issue_count'))
}

/** True for an issue that has the tag. */
export function hasTag(is: ExpressionBuilder<Database, 'issues'>, [key, value]: Tag) {
  return is.exists(
    is
      .selectFrom('issue_tags as t')
      .select(sql.lit(1).as('one'))
      .whereRef('t.project_id', '=', 'issues.project_id')
      .whereRef('t.issue_id', '=', 'issues.id')
      .where('t.key', '=', key)
      .where('t.value', '=', value),
  )
}

/** Like `hasTag`, but read the other way round: the issues of the tag, then each of them by its key. */
export function isInRareTag(is: ExpressionBuilder<Database, 'issues'>, [key, value]: Tag) {
  return is(
    is.refTuple('project_id', 'id'),
    'in',
    is
      .selectFrom('issue_tags as t')
      .select(['t.project_id', 't.issue_id'])
      .where('t.key', '=', key)
      .where('t.value', '=', value)
      .$asTuple('project_id', 'issue_id'),
  )
}
