import { Client } from 'pg'

/** Tables that count events, whose counts are multiplied, too. */
const counts = [
  'UPDATE issues SET event_count = event_count * $1',
  'UPDATE issue_hours SET event_count = event_count * $1',
  'UPDATE issue_tags SET event_count = event_count * $1',
  'UPDATE releases SET event_count = event_count * $1',
  'UPDATE environments SET event_count = event_count * $1',
  'UPDATE outcome_hours SET quantity = quantity * $1',
]

/**
 * Turns each event of a PostgreSQL database into this many events, with new ids and times and the same
 * payload, because a million events take the pipeline a quarter of an hour. Afterwards runs what autovacuum
 * would have run.
 */
export async function multiplyEvents(url: string, factor: number): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns
       WHERE table_schema = current_schema() AND table_name = 'events' ORDER BY ordinal_position`,
    )
    const columns = rows.map(({ name }) => name)
    const values = columns.map((name) => ownValues[name] ?? name)
    await client.query(
      `INSERT INTO events (${columns.join(', ')})
       SELECT ${values.join(', ')} FROM events, generate_series(1, cast($1 AS bigint) - 1) AS copy (number)`,
      [factor],
    )
    for (const sql of counts) await client.query(sql, [factor])
    await client.query('VACUUM ANALYZE')
    await client.query('CHECKPOINT')
  } finally {
    await client.end()
  }
}

/** Values of a copy, by column. */
const ownValues: Readonly<Record<string, string>> = {
  event_id: "decode(md5(encode(event_id, 'hex') || number), 'hex')",
  trace_id: "decode(md5(encode(trace_id, 'hex') || number), 'hex')",
  // Earlier than the original, which stays the latest event of its issue.
  occurred_at: 'occurred_at - number',
  received_at: 'received_at - number',
}
