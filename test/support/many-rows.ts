import { hash } from 'node:crypto'
import { zstdCompressSync } from 'node:zlib'
import type { Client } from 'pg'
import { blockIdsPerMs } from '#server/store/events/body-block.ts'
import { dayMs, hourMs, hourOf } from '#time/time-steps.ts'
import { encodeHistogram } from '#traces/histogram.ts'

const eventCount = 100_000
const issueCount = 10_000
/** Events of an issue, so that issue n has the events n, n + issueCount, … */
const eventsOfIssue = eventCount / issueCount
const eventsOfBlock = 50

/**
 * Fills a PostgreSQL database with the rows of a project that has been in use for two months: 100,000 events
 * in 10,000 issues, and what belongs to them. Takes a few seconds, because the server makes them.
 */
export async function writeManyRows(
  client: Client,
  { projectId, now }: { projectId: number; now: number },
): Promise<void> {
  const hour = hourOf(now)
  const [p, spread] = [projectId, 60 * dayMs]
  /** Later numbers are later: the last issue was seen just now. */
  const timeOf = (number: string, count: number) =>
    `(${now - spread} + ${number}::bigint * ${spread} / ${count})`
  /** The project has every so many of the rows, other projects have the rest. */
  const ownerOf = (number: string, count: number) =>
    `CASE ${number} % ${count} WHEN 0 THEN ${p} ELSE 1000 + ${number} % ${count} END`
  const blockOf = (number: string) => `${timeOf(number, eventCount / eventsOfBlock)} * ${blockIdsPerMs}`
  const payload = Buffer.from(JSON.stringify({ message: 'one of many', tags: {} }))
  const histogram = Buffer.from(encodeHistogram(new Map([[160, 1]]))).toString('hex')
  const block = zstdCompressSync(Buffer.concat(Array.from({ length: eventsOfBlock }, () => payload)))
  const statements = [
    // Triggers that count would take most of the time.
    'SET session_replication_role = replica',
    `INSERT INTO events SELECT ${p}, ${idOf('n', 'event')}, 1000 + n % ${issueCount}, ${blockOf(`(n / ${eventsOfBlock})`)},
       n % ${eventsOfBlock} * ${payload.length}, ${payload.length}, ${timeOf('n', eventCount)}, ${timeOf('n', eventCount)},
       'error', CASE n % 10 WHEN 0 THEN 'staging' ELSE 'production' END, 'shop@1.' || n / 1000 || '.0', n % 5000,
       ${idOf('n / 3', 'trace')}, NULL, '\\x010203', NULL, NULL FROM generate_series(0::bigint, ${eventCount - 1}) AS n`,
    `INSERT INTO body_blocks SELECT ${p}, ${blockOf('n')}, ${eventsOfBlock}, ${payload.length * eventsOfBlock},
       ${timeOf('n', eventCount / eventsOfBlock)}, '\\x${block.toString('hex')}'
       FROM generate_series(0::bigint, ${eventCount / eventsOfBlock - 1}) AS n`,
    `INSERT INTO issues (project_id, id, number, type, title, subtitle, culprit, level, platform, status, mechanism,
       first_seen_at, last_seen_at, event_count, user_count, first_release, last_release, first_event_id, latest_event_id,
       assignee_id, archived_until_at, trend_fast, trend_slow, trend)
       SELECT ${p}, 1000 + n, 1 + n, 'error', 'Error' || n % 500, 'cannot do ' || n, 'work(app.js)',
         CASE n % 9 WHEN 0 THEN 'fatal' ELSE 'error' END, 'javascript',
         (ARRAY['unresolved', 'unresolved', 'unresolved', 'resolved', 'archived'])[(1 + n % 5)::int], 'v1',
         ${timeOf('n', issueCount)} - ${hourMs}, ${timeOf('n', issueCount)}, ${eventsOfIssue}, ${eventsOfIssue},
         'shop@1.' || n / 100 || '.0', 'shop@1.' || n / 100 || '.0', ${idOf('n', 'event')},
         ${idOf(`(n + ${eventCount - issueCount})`, 'event')}, NULL, NULL, n, n, n
       FROM generate_series(0::bigint, ${issueCount - 1}) AS n`,
    `UPDATE projects SET last_issue_number = ${issueCount}, last_series_id = 100 WHERE id = ${p}`,
    `INSERT INTO issue_hashes SELECT ${p}, ${idOf('n', 'hash')}, 'v1', 1000 + n, NULL
       FROM generate_series(0::bigint, ${issueCount - 1}) AS n`,
    `INSERT INTO issue_texts SELECT ${p}, 1000 + n, setweight(to_tsvector('simple', 'error' || n % 500), 'A')
       || setweight(to_tsvector('simple', 'cannot do ' || n), 'B') FROM generate_series(0::bigint, ${issueCount - 1}) AS n`,
    `INSERT INTO issue_hours SELECT ${p}, 1000 + n % ${issueCount}, ${hour} - n / ${issueCount} * ${hourMs}, 'production', 1
       FROM generate_series(0::bigint, ${eventCount - 1}) AS n`,
    `INSERT INTO issue_tags SELECT ${p}, 1000 + n % ${issueCount}, (ARRAY['browser', 'region', 'url', 'user', 'plan', 'os',
       'device', 'host', 'level', 'environment'])[(1 + n / ${issueCount})::int], 'value ' || n % 100, 1, ${now}
       FROM generate_series(0::bigint, ${eventCount - 1}) AS n`,
    `INSERT INTO issue_traits SELECT ${p}, 1000 + n % ${issueCount}, 'key ' || n / ${issueCount}, 'value ' || n % 100
       FROM generate_series(0::bigint, ${eventCount / 2 - 1}) AS n`,
    `INSERT INTO issue_users SELECT ${p}, 1000 + n % ${issueCount}, n FROM generate_series(0::bigint, ${eventCount - 1}) AS n`,
    `INSERT INTO issue_environments SELECT ${p}, 1000 + n, 'production' FROM generate_series(0::bigint, ${issueCount - 1}) AS n`,
    `INSERT INTO issue_activity SELECT ${p}, 1000 + n % ${issueCount}, lpad(n::text, 9, '0') || '-1', 'a' || n, ${now}, NULL,
       'comment', '{"text":"seen"}', NULL FROM generate_series(0::bigint, 19999) AS n`,
    `INSERT INTO event_digests SELECT ${p}, n::text, ${idOf('n', 'event')} FROM generate_series(0::bigint, 19999) AS n`,
    `INSERT INTO event_feedback SELECT ${p}, ${idOf('n', 'event')}, ${idOf('n', 'feedback')}, ${now}, '', '', 'oh'
       FROM generate_series(0::bigint, 19999) AS n`,
    `INSERT INTO attachments SELECT ${p}, ${idOf('n', 'event')}, 1, 'a.txt', 'text/plain', 'event.attachment',
       ${timeOf('n', 20_000)}, 4, 4, '\\x01', '\\x01020304' FROM generate_series(0::bigint, 19999) AS n`,
    `INSERT INTO outcome_hours SELECT ${p}, ${hour} - n / 10 * ${hourMs}, 'error', 'filtered', 'reason ' || n % 10, 1
       FROM generate_series(0::bigint, 19999) AS n`,
    `INSERT INTO filter_samples SELECT ${ownerOf('n', 20)}, 'reason ' || n / 20 % 10,
       ${hour} - ${hour} % ${dayMs} - n / 1000 * ${dayMs}, ${hour} - n / 1000 * ${dayMs}, n::text, 'error', 'dropped', 'production',
       NULL, 2, '{}', ${idOf('n', 'sample')}, NULL FROM generate_series(0::bigint, 29999) AS n`,
    `INSERT INTO dead_letters SELECT ${p}, n::text, 'event', 'broken', ${timeOf('n', 10_000)}, '{}', 'error', NULL
       FROM generate_series(0::bigint, 9999) AS n`,
    `INSERT INTO releases SELECT ${p}, 'shop@1.' || n || '.0', ${timeOf('n', 10_000)}, ${timeOf('n', 10_000)}, 10, 'shop',
       lpad(n::text, 9, '0'), ${timeOf('n', 10_000)}, NULL, NULL, NULL, 0 FROM generate_series(0::bigint, 9999) AS n`,
    `INSERT INTO release_environments SELECT ${p}, 'shop@1.' || n || '.0', 'production', ${now}
       FROM generate_series(0::bigint, 9999) AS n`,
    `INSERT INTO session_series SELECT ${ownerOf('n', 5)}, 'shop@1.' || n || '.0', 'production', 101 + n, ${timeOf('n', 10_000)},
       ${timeOf('n', 10_000)}, 10, 1, 0, 0, 1, 5, 1 FROM generate_series(0::bigint, 9999) AS n`,
    `INSERT INTO session_hours SELECT ${ownerOf('n', 5)}, 101 + n % 10000,
       ${timeOf('(n % 10000)', 10_000)} / ${hourMs} * ${hourMs} - n / 10000 * ${hourMs}, 1, 0, 0, 0, 0
       FROM generate_series(0::bigint, ${eventCount - 1}) AS n`,
    `INSERT INTO session_days SELECT ${p}, 101 + n % 10000, ${hour} - ${hour} % ${dayMs} - n / 10000 * ${dayMs}, 1, 0
       FROM generate_series(0::bigint, 19999) AS n`,
    `INSERT INTO session_users SELECT ${p}, 101 + n % 10000, 0, 0, n FROM generate_series(0::bigint, 49999) AS n`,
    `INSERT INTO counted_sessions SELECT ${p}, ${hour} - n % 24 * ${hourMs}, 101 + n % 10000, ${idOf('n', 'session')}, 1, 0
       FROM generate_series(0::bigint, 19999) AS n`,
    `INSERT INTO project_users SELECT ${p}, n FROM generate_series(0::bigint, 4999) AS n`,
    `INSERT INTO figure_names SELECT ${ownerOf('n', 5)}, n, 'transaction', 'http.server', '/page/' || n, ${hour - spread},
       ${hour} - ${hour} % ${dayMs} FROM generate_series(0::bigint, 499) AS n`,
    `INSERT INTO figures SELECT ${ownerOf('n', 5)}, 'transaction', 'hour', ${hour} - n / 500 * ${hourMs}, n % 500, 'production',
       1, 1, 0, 1, 1000, '\\x${histogram}' FROM generate_series(0::bigint, ${eventCount - 1}) AS n`,
    `INSERT INTO trace_segments SELECT ${p}, ${timeOf('n', 20_000)} * ${blockIdsPerMs}, ${idOf('n', 'segment')}, '\\x0102030405060708',
       1, ${timeOf('n', 20_000)}, 1000, 2, 'http.server', '/page/' || n % 500, 0, 'production', 'shop@1.' || n / 1000 || '.0', 2,
       ${timeOf('n', 20_000)}, '\\x00', ${idOf('n', 'transaction')} FROM generate_series(0::bigint, 19999) AS n`,
    `INSERT INTO trace_totals SELECT ${p}, 20000, 20000, max(id) FROM trace_segments`,
    `UPDATE project_bytes SET event_count = ${eventCount}, event_bytes = ${(eventCount / eventsOfBlock) * block.length}
       WHERE project_id = ${p}`,
    `INSERT INTO attachment_totals VALUES (${p}, 80000) ON CONFLICT (project_id) DO UPDATE SET stored_bytes = 80000`,
    'RESET session_replication_role',
    'ANALYZE',
  ]
  for (const statement of statements) await client.query(statement)
}

/** One of the ids of these rows in hex: of a kind and a number, such as `event77`. */
export const manyRowsId = (text: string): string => hash('md5', text, 'hex')

/** 16 bytes that depend on a number. */
function idOf(number: string, kind: string): string {
  return `decode(md5('${kind}' || ${number}), 'hex')`
}
