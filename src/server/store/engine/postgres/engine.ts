import { setTimeout as sleep } from 'node:timers/promises'
import type { SomeRows, StoreEngine, TableKey } from '#server/store/engine/engine.ts'
import { toTextVector } from './issue-words.ts'
import type { QueriedServer } from './pool.ts'
import type { SyncConnection } from './sync-connection.ts'

/** Minimum milliseconds between two reads of the data version, for a flood of unknown keys. */
const versionReadEveryMs = 2

/** Bytes of an event's rows and index entries in addition to its payload (measured). */
const eventRowBytes = 600

/** Bytes of the tables and indexes of a database without projects (measured). */
const emptyBytes = 1_550_000

/**
 * Deleted rows leave free space in PostgreSQL's files, so the used bytes are computed from the stored data:
 * from counters, and from the lengths of at most some thousand small rows.
 */
const usedBytes = `SELECT ${emptyBytes}
  + (SELECT coalesce(sum(event_bytes + outbox_bytes + event_count * ${eventRowBytes}), 0) FROM project_bytes)
  + (SELECT coalesce(sum(stored_bytes), 0) FROM attachment_totals)
  + (SELECT coalesce(sum(stored_bytes), 0) FROM artifact_bundles)
  + (SELECT coalesce(sum(stored_bytes), 0) FROM trace_totals)
  + (SELECT coalesce(sum(length(payload)), 0) FROM dead_letters)
  + (SELECT coalesce(sum(length(payload)), 0) FROM filter_samples)`

/**
 * PostgreSQL through the connection that writes. Only the data version is read through `server`, because
 * request handlers read it and must not block their thread.
 */
export function createPostgresEngine(connection: SyncConnection, server: QueriedServer): StoreEngine {
  const readNumber = (sql: string) => Number(Object.values(connection.query(sql, []).rows[0] ?? {})[0])
  const readDataVersion = createDataVersion(server)
  return {
    name: 'PostgreSQL',
    readVersion: () => String(connection.query('SHOW server_version', []).rows[0]?.['server_version']),
    readSize: () => ({
      fileBytes: readNumber('SELECT pg_database_size(current_database())'),
      usedBytes: readNumber(usedBytes),
      pageCount: 0,
      freePages: 0,
    }),
    readUsedBytes: () => readNumber(usedBytes),
    emptyBytes,
    eventRowBytes,
    readDataVersion,
    watchWrites: () => ({ begin: () => connection.findWritesOfOthers(), committed: () => undefined }),
    prepareRead: (sql) => connection.prepareRead(sql),
    prepareWrite: (sql) => connection.prepareWrite(sql),
    prepareChange: (sql) => connection.prepareChange(sql),
    numbersIn: (column) =>
      `${column} IN (SELECT value::bigint FROM json_array_elements_text(?::json) AS numbers (value))`,
    deletionOf,
    prepareIssueText() {
      const statement = connection.prepareWrite(
        `INSERT INTO issue_texts (project_id, issue_id, words) VALUES (?, ?, ?::tsvector)
         ON CONFLICT (project_id, issue_id) DO UPDATE SET words = excluded.words`,
      )
      return {
        run: (projectId, issueId, columns) => void statement.run(projectId, issueId, toTextVector(columns)),
      }
    },
    listTableKeys: () => listTableKeys(connection),
    listColumns: (table) =>
      connection
        .query(
          `SELECT attname AS name FROM pg_attribute
           WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
          [table],
        )
        .rows.map(({ name }) => String(name)),
    listReferringTables: (table) =>
      connection
        .query(
          `SELECT DISTINCT conrelid::regclass::text AS name FROM pg_constraint
           WHERE contype = 'f' AND confrelid = $1::regclass`,
          [table],
        )
        .rows.map(({ name }) => String(name)),
    yieldToCommitThread: () => undefined,
    async beginRelaxed() {
      await connection.beginExclusive()
      connection.exec('SET LOCAL synchronous_commit = off')
    },
    endRelaxed: () => undefined,
    // The server does both automatically, and reuses free space for later rows.
    beforeTransaction: () => Promise.resolve(),
    checkpoint: () => undefined,
    rewriteLog: () => undefined,
    shrink: () => undefined,
  }
}

/** Reads the data version, one read at a time. Calls share a read only if it begins after them. */
function createDataVersion(server: QueriedServer): () => Promise<number> {
  let readAt = Number.NEGATIVE_INFINITY
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<number> | undefined
  const request = async () => {
    const { rows } = await server.query(
      // The number of transactions that have ended: of those before the newest one, some may still run.
      `SELECT pg_snapshot_xmax(s)::text::bigint - (SELECT count(*) FROM pg_snapshot_xip(s)) AS version
       FROM pg_current_snapshot() AS s`,
    )
    return Number(rows[0]?.['version'])
  }
  const readNext = async () => {
    await running.catch(() => undefined)
    const waitMs = readAt + versionReadEveryMs - performance.now()
    if (waitMs > 0) await sleep(waitMs)
    next = undefined
    readAt = performance.now()
    const version = request()
    running = version
    return version
  }
  return () => (next ??= readNext())
}

/**
 * Selects by `ctid`: for some hundred keys, the planner would scan the whole table. The project is repeated,
 * because a `ctid` identifies a row only within a shard.
 */
function deletionOf({ table, where, ofEach, maxCount }: SomeRows): string {
  const limit = `LIMIT ${maxCount}`
  // With a limit in it, the subquery runs once for each number. As one condition for all of them, the planner
  // would read a table whole that has some thousand rows.
  const rows =
    ofEach === undefined
      ? `SELECT ctid FROM ${table} WHERE ${where} ${limit}`
      : `SELECT place FROM json_array_elements_text(${ofEach.parameter}::json) AS numbers (value), LATERAL (
          SELECT ctid AS place FROM ${table} WHERE ${where} AND ${ofEach.column} = value::bigint ${limit}
        ) AS places ${limit}`
  return `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(${rows})) AND project_id = ?1`
}

function listTableKeys(connection: SyncConnection): TableKey[] {
  const { rows } = connection.query(
    `SELECT k.table_name, k.column_name
     FROM information_schema.table_constraints c
       JOIN information_schema.key_column_usage k USING (constraint_schema, constraint_name)
     WHERE c.constraint_type = 'PRIMARY KEY' AND c.table_schema = current_schema()
     ORDER BY k.table_name, k.ordinal_position`,
    [],
  )
  const tables = Map.groupBy(rows, (row) => String(row['table_name']))
  return [...tables].map(([table, key]) => ({ table, key: key.map((row) => String(row['column_name'])) }))
}
