import type { Kysely } from 'kysely'
import { limits } from '#server/limits.ts'
import type { IssueKey } from './events.ts'
import type { TagDistribution } from './issue-views.ts'
import type { Database } from './schema.ts'

/**
 * How an issue's events spread over the values of each tag: the keys that most events have first, for each the
 * `limits.tagValuesShown` most frequent values. One statement.
 */
export async function listTagDistributions(
  db: Kysely<Database>,
  { projectId, issueId }: IssueKey,
): Promise<TagDistribution[]> {
  const rows = await db
    .selectFrom((from) =>
      from
        .selectFrom('issue_tags')
        .select((of) => [
          'key',
          'value',
          'event_count',
          'last_seen_at',
          of.fn
            .agg<number>('row_number')
            .over((over) => over.partitionBy('key').orderBy('event_count', 'desc').orderBy('value'))
            .as('rank'),
          of.fn
            .sum<number>('event_count')
            .over((over) => over.partitionBy('key'))
            .as('key_event_count'),
          of.fn
            .countAll<number>()
            .over((over) => over.partitionBy('key'))
            .as('value_count'),
        ])
        .where('project_id', '=', projectId)
        .where('issue_id', '=', issueId)
        .as('t'),
    )
    .selectAll()
    .where('t.rank', '<=', limits.tagValuesShown)
    .orderBy('t.key_event_count', 'desc')
    .orderBy('t.key')
    .orderBy('t.rank')
    .execute()
  const distributions = new Map<string, TagDistribution>()
  for (const row of rows) {
    const value = { value: row.value, eventCount: row.event_count, lastSeenAt: row.last_seen_at }
    const distribution = distributions.get(row.key)
    if (distribution) distribution.values.push(value)
    else distributions.set(row.key, toDistribution(row, value))
  }
  return [...distributions.values()]
}

/**
 * Every value of one tag of an issue, the most frequent first, at most `limits.tagValuesListed`. One statement; undefined
 * when the issue has no such tag.
 */
export async function findTagDistribution(
  db: Kysely<Database>,
  { projectId, issueId, key }: IssueKey & { key: string },
): Promise<TagDistribution | undefined> {
  const rows = await db
    .selectFrom('issue_tags')
    .select((of) => [
      'value',
      'event_count as eventCount',
      'last_seen_at as lastSeenAt',
      of.fn.agg<number>('sum', ['event_count']).over().as('keyEventCount'),
      of.fn.countAll<number>().over().as('valueCount'),
    ])
    .where('project_id', '=', projectId)
    .where('issue_id', '=', issueId)
    .where('key', '=', key)
    .orderBy('event_count', 'desc')
    .orderBy('value')
    .limit(limits.tagValuesListed)
    .execute()
  const [first] = rows
  if (!first) return undefined
  const values = rows.map(({ value, eventCount, lastSeenAt }) => ({ value, eventCount, lastSeenAt }))
  return { key, eventCount: first.keyEventCount, valueCount: first.valueCount, values }
}

function toDistribution(
  row: { key: string; key_event_count: number; value_count: number },
  value: TagDistribution['values'][number],
): TagDistribution {
  return { key: row.key, eventCount: row.key_event_count, valueCount: row.value_count, values: [value] }
}
