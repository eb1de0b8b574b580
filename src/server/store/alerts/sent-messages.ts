import { sql } from 'kysely'
import { limits } from '#server/limits.ts'
import { perEngine } from '#server/store/engine/per-engine.ts'
import { prepareQuery } from '#server/store/prepared-query.ts'
import type { Db } from '#server/store/schema/database.ts'
import type { SentMessage } from './records.ts'

interface MessagesQuery {
  projectId: number
  issueId: number
}

const newestSent = prepareQuery((db, { projectId, issueId }: MessagesQuery) => {
  const decided = sql`(select delivery_ids from alert_decisions
    where project_id = ${projectId} and issue_id = ${issueId} and delivery_ids <> '[]'
    order by decided_at desc limit ${limits.sentMessagesShown}) as decided`
  const ids = perEngine<string>({
    sqlite: sql`(select each.value from ${decided}, json_each(decided.delivery_ids) as each)`,
    postgres: sql`(select each.value from ${decided}
      cross join lateral json_array_elements_text(decided.delivery_ids::json) as each (value))`,
  })
  return db
    .selectFrom('alert_deliveries as d')
    .leftJoin('alert_destinations as t', 't.id', 'd.destination_id')
    .leftJoin('push_subscriptions as s', 's.id', 'd.push_id')
    .leftJoin('users as u', (join) => join.on('u.id', '=', sql`coalesce(d.user_id, s.user_id)`))
    .select([
      'd.id',
      'd.user_id',
      'd.finished_at',
      't.name as destination',
      'u.name as user',
      's.name as browser',
    ])
    .where('d.id', 'in', ids)
    .where('d.status', '=', 'sent')
    .orderBy('d.finished_at', 'desc')
    .orderBy('d.id')
    .limit(limits.sentMessagesShown)
})

/** The newest messages about an issue, at most `limits.sentMessagesShown`. One statement. */
export async function listSentMessages(
  db: Db,
  { projectId, issueId }: MessagesQuery,
): Promise<SentMessage[]> {
  const rows = await newestSent(db, { projectId, issueId })
  return rows.map((row) => ({
    id: row.id,
    receiver: row.destination ?? (row.browser === null ? (row.user ?? '') : `${row.user}, ${row.browser}`),
    isMail: row.user_id !== null,
    at: row.finished_at ?? 0,
  }))
}
