import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'

/** Tables that count events, whose counts are multiplied, too. */
const counted: readonly (readonly [table: string, column: string])[] = [
  ['issues', 'event_count'],
  ['issue_hours', 'event_count'],
  ['issue_tags', 'event_count'],
  ['releases', 'event_count'],
  ['environments', 'event_count'],
  ['outcome_hours', 'quantity'],
  ['body_blocks', 'event_count'],
]

const multiplyCounts = (factor: number) =>
  counted.map(([table, column]) => `UPDATE ${table} SET ${column} = ${column} * ${factor}`)

/** Values of a copy, by column, in the SQL of an engine; other columns have those of the original. */
type CopiedValues = Readonly<Record<string, string>>

/** Earlier than the original, which stays the latest event of its issue. */
const copiedTimes = { occurred_at: 'occurred_at - number', received_at: 'received_at - number' }

/**
 * Turns each event of a store into this many events, with new ids and times and the same payload, because a
 * million events take the pipeline several minutes.
 */
export async function multiplyEvents(store: string, factor: number): Promise<void> {
  if (store.startsWith('postgres')) await multiplyOnPostgres(store, factor)
  else multiplyOnSqlite(store, factor)
}

/** Afterwards runs what autovacuum would have run. */
async function multiplyOnPostgres(url: string, factor: number): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns
       WHERE table_schema = current_schema() AND table_name = 'events' ORDER BY ordinal_position`,
    )
    const { columns, values } = toColumns(
      rows.map(({ name }) => name),
      {
        ...copiedTimes,
        event_id: "decode(md5(encode(event_id, 'hex') || number), 'hex')",
        trace_id: "decode(md5(encode(trace_id, 'hex') || number), 'hex')",
      },
    )
    await client.query(
      `INSERT INTO events (${columns})
       SELECT ${values} FROM events, generate_series(1, cast($1 AS bigint) - 1) AS copy (number)`,
      [factor],
    )
    for (const sql of multiplyCounts(factor)) await client.query(sql)
    await client.query('VACUUM ANALYZE')
    await client.query('CHECKPOINT')
  } finally {
    await client.end()
  }
}

/** The indexes are built afterwards, in their order: entry by entry they take several times as long. */
function multiplyOnSqlite(path: string, factor: number): void {
  const database = new DatabaseSync(path)
  try {
    // From WAL directly to OFF changes nothing.
    database.exec('PRAGMA journal_mode = DELETE; PRAGMA journal_mode = OFF')
    database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -4000000')
    const names = database.prepare("SELECT name FROM pragma_table_info('events')").all()
    const { columns, values } = toColumns(
      names.map(({ name }) => String(name)),
      {
        ...copiedTimes,
        event_id: 'randomblob(16)',
        trace_id: 'iif(trace_id IS NULL, NULL, randomblob(16))',
      },
    )
    const indexes = database
      .prepare(
        "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'events' AND sql IS NOT NULL",
      )
      .all()
    for (const { name } of indexes) database.exec(`DROP INDEX ${String(name)}`)
    const last = Number(database.prepare('SELECT max(rowid) AS n FROM events').get()?.['n'])
    for (let number = 1; number < factor; number += 1)
      database.exec(
        `INSERT INTO events (${columns})
         SELECT ${values} FROM (SELECT *, ${number} AS number FROM events WHERE rowid <= ${last})`,
      )
    for (const { sql } of indexes) database.exec(String(sql))
    for (const sql of multiplyCounts(factor)) database.exec(sql)
    database.exec('PRAGMA journal_mode = WAL')
  } finally {
    database.close()
  }
}

function toColumns(names: readonly string[], copied: CopiedValues) {
  return { columns: names.join(', '), values: names.map((name) => copied[name] ?? name).join(', ') }
}
