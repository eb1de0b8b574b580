import { limits } from '#server/limits.ts'
import { jsonRows } from '#server/store/engine/per-engine.ts'
import { prepareQuery } from '#server/store/prepared-query.ts'
import type { Db } from '#server/store/schema/database.ts'
import type { IssueKey, TagDistribution } from './records.ts'

/**
 * Reads key by key, because sorting only the first values of each takes a tenth of the time of ranking all
 * values at once.
 */
const distributions = prepareQuery((db, { projectId, issueId }: IssueKey) => {
  const keys = db
    .selectFrom('issue_tags')
    .select((of) => [
      'key',
      of.fn.sum<number>('event_count').as('eventCount'),
      of.fn.countAll<number>().as('valueCount'),
    ])
    .where('project_id', '=', projectId)
    .where('issue_id', '=', issueId)
    .groupBy('key')
    .orderBy('eventCount', 'desc')
    .orderBy('key')
    .limit(limits.tagKeysListed)
  return db
    .selectFrom(keys.as('listed'))
    .select((of) => [
      'listed.key',
      'listed.eventCount',
      'listed.valueCount',
      jsonRows(
        of
          .selectFrom('issue_tags as each')
          .select(['each.value', 'each.event_count as eventCount', 'each.last_seen_at as lastSeenAt'])
          .where('each.project_id', '=', projectId)
          .where('each.issue_id', '=', issueId)
          .whereRef('each.key', '=', 'listed.key')
          .orderBy('each.event_count', 'desc')
          .orderBy('each.value')
          .limit(limits.tagValuesShown),
      ).as('values_json'),
    ])
    .orderBy('listed.eventCount', 'desc')
    .orderBy('listed.key')
})

/**
 * The distribution of an issue's events over the values of each tag: the `limits.tagKeysListed` most frequent
 * keys, each with the `limits.tagValuesShown` most frequent values. One statement.
 */
export async function listTagDistributions(
  db: Db,
  { projectId, issueId }: IssueKey,
): Promise<TagDistribution[]> {
  const tags = await distributions(db, { projectId, issueId })
  return tags.map(({ key, eventCount, valueCount, values_json: values }) => ({
    key,
    eventCount,
    valueCount,
    values,
  }))
}

/**
 * Every value of one tag of an issue, most frequent first, at most `limits.tagValuesListed`. One statement;
 * undefined if the issue has no such tag.
 */
export async function findTagDistribution(
  db: Db,
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
