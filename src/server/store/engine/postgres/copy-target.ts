import { Client } from 'pg'
import type { SqlInput } from '#server/store/engine/connection.ts'
import { readOwnMigrations } from '#server/store/engine/migrations.ts'
import { issueTextColumns } from '#server/store/issues/text.ts'
import { applyPostgresMigrations } from './apply-migrations.ts'
import { addSums, noSums, sumSql, type ColumnSum, type TableCopy } from './copy-sums.ts'
import { toTextVector } from './issue-words.ts'
import { clientConfig, outliveLoss } from './pool.ts'
import { toArrayText } from './statements/array-text.ts'
import { toSent } from './statements/sql-text.ts'

/** The source of a copy. */
export interface CopySource {
  /** The name of the source in messages. */
  place: string
  /** A text that changes when the source has changed. */
  state: string
}

/**
 * Begins in an empty database, continues where an earlier copy ended, or starts again because the source has
 * changed.
 */
export type CopyStart = 'new' | 'continued' | 'again'

/** The target is in use for other data. The message contains the solution. */
export class CopyTargetError extends Error {
  override readonly name = 'CopyTargetError'
}

/** Tables of running processes, which have no meaning in another database. */
const ownTables = ['leases', 'processes']

/** Exists while a copy is incomplete; servers do not open the database until then. */
const progressTable = 'copy_progress'

/** True if a copy into this database has begun and is incomplete. */
export async function hasUnfinishedCopy(client: Pick<Client, 'query'>): Promise<boolean> {
  const { rows } = await client.query<{ name: string | null }>('SELECT to_regclass($1) AS name', [
    progressTable,
  ])
  return rows[0]?.name != null
}

/**
 * A PostgreSQL database into which the tables of another store are copied. Each batch is a transaction that
 * includes the progress.
 */
export class CopyTarget {
  private readonly client: Client
  /** Tables with triggers, which are disabled: the rows that they would write are copied as well. */
  private readonly triggered: ReadonlySet<string>
  /** Referenced tables precede the tables that refer to them. */
  readonly tables: readonly TableCopy[]

  private constructor(client: Client, tables: readonly TableCopy[], triggered: ReadonlySet<string>) {
    this.client = client
    this.tables = tables
    this.triggered = triggered
  }

  /** Connects, and migrates the schema. */
  static async open(url: string, clock: () => number): Promise<CopyTarget> {
    const client = outliveLoss(new Client(clientConfig(url)))
    await client.connect()
    try {
      await applyPostgresMigrations(client, (await readOwnMigrations()).postgres, clock)
      return new CopyTarget(client, await readTables(client), await readTriggered(client))
    } catch (error) {
      await client.end()
      throw error
    }
  }

  /**
   * Begins a copy, or finds where an earlier copy of the same source ended. Throws a `CopyTargetError` if the
   * database contains other data.
   */
  async begin({ place, state }: CopySource): Promise<CopyStart> {
    const found = await this.readProgress()
    if (found === undefined) {
      await this.requireEmpty()
      await this.start({ place, state })
      return 'new'
    }
    if (found.place !== place) {
      throw new CopyTargetError(
        `the database holds an unfinished copy of ${found.place}: finish that one, or create another database`,
      )
    }
    if (found.state === state) return 'continued'
    await this.start({ place, state })
    return 'again'
  }

  /** Adds the next rows of a table, whose values are in the order of its columns. */
  async insert(table: TableCopy, rows: readonly SqlInput[][]): Promise<void> {
    const { name, columns } = table
    const sent = rows.map((row) => row.map(toSent))
    const sums = addSums(table, sent)
    const [from, rowCount] = [table.rowCount, table.rowCount + rows.length]
    const isTriggered = this.triggered.has(name)
    await this.inTransaction(async () => {
      // The last transaction of the copy waits for the disk, which includes all earlier ones.
      await this.client.query('SET LOCAL synchronous_commit = off')
      const moved = await this.client.query(
        `UPDATE ${progressTable} SET row_count = $3, sums = $4 WHERE table_name = $1 AND row_count = $2`,
        [name, from, rowCount, JSON.stringify(sums)],
      )
      if (moved.rowCount !== 1)
        throw new CopyTargetError('another command copies into the database at the same time: wait for it')
      if (isTriggered) await this.client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`)
      const types = columns.map(({ type }, at) => `$${at + 1}::${type}[]`)
      await this.client.query(
        `INSERT INTO ${name} (${columns.map((column) => column.name).join(', ')})
         SELECT * FROM unnest(${types.join(', ')})`,
        columns.map((_, at) => toArrayText(sent.map((row) => row[at] ?? null))),
      )
      if (name === 'issues') await this.insertWords(columns, sent)
      if (isTriggered) await this.client.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`)
    })
    table.rowCount = rowCount
    table.sums = sums
  }

  /** Compares the tables with the copied data. Returns each difference as a sentence. */
  async findDifferences(): Promise<string[]> {
    const differences: string[] = []
    for (const { name, columns, rowCount, sums } of this.tables) {
      const { rows } = await this.client.query<Record<string, string | number>>(
        `SELECT count(*) AS n, ${columns.map(sumSql).join(', ')} FROM ${name}`,
      )
      const found = rows[0] ?? {}
      if (Number(found['n']) !== rowCount)
        differences.push(`${name} has ${found['n']} rows instead of ${rowCount}`)
      for (const [at, column] of columns.entries()) {
        const sum = sums[at] ?? noSums
        if (Number(found[`count_${at}`]) !== sum.count || String(found[`sum_${at}`]) !== sum.sum)
          differences.push(`${name}.${column.name} adds up to ${found[`sum_${at}`]} instead of ${sum.sum}`)
      }
    }
    const { rows } = await this.client.query<{ n: number }>(
      `SELECT count(*) AS n FROM issues i WHERE NOT EXISTS (
         SELECT 1 FROM issue_texts t WHERE t.project_id = i.project_id AND t.issue_id = i.id)`,
    )
    if (rows[0]?.n !== 0) differences.push(`${rows[0]?.n} issues have no words`)
    return differences
  }

  /** Marks the copy as complete: servers can open the database. */
  async finish(): Promise<void> {
    await this.client.query('ANALYZE')
    await this.client.query(`DROP TABLE ${progressTable}`)
  }

  async close(): Promise<void> {
    await this.client.end()
  }

  /** Creates search words as an installation does: SQLite derives them from the texts. */
  private async insertWords(columns: TableCopy['columns'], rows: readonly SqlInput[][]): Promise<void> {
    const valueOf = (row: readonly SqlInput[], name: string) =>
      row[columns.findIndex((column) => column.name === name)] ?? null
    const textOf = (row: readonly SqlInput[], name: string) => {
      const value = valueOf(row, name)
      return typeof value === 'string' ? value : ''
    }
    const vectors = rows.map((row) =>
      toTextVector(
        issueTextColumns({
          title: textOf(row, 'title'),
          subtitle: textOf(row, 'subtitle'),
          culprit: textOf(row, 'culprit'),
          message: textOf(row, 'message'),
        }),
      ),
    )
    await this.client.query(
      `INSERT INTO issue_texts (project_id, issue_id, words)
       SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::tsvector[])`,
      [
        toArrayText(rows.map((row) => valueOf(row, 'project_id'))),
        toArrayText(rows.map((row) => valueOf(row, 'id'))),
        toArrayText(vectors),
      ],
    )
  }

  private async readProgress(): Promise<CopySource | undefined> {
    if (!(await hasUnfinishedCopy(this.client))) return undefined
    const { rows } = await this.client.query<{
      table_name: string
      place: string
      state: string
      row_count: number
      sums: string
    }>(`SELECT table_name, place, state, row_count, sums FROM ${progressTable}`)
    for (const row of rows) {
      const table = this.tables.find(({ name }) => name === row.table_name)
      if (table === undefined) continue
      table.rowCount = row.row_count
      // Written by `insert`.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      table.sums = JSON.parse(row.sums) as ColumnSum[]
    }
    return rows[0]
  }

  private async requireEmpty(): Promise<void> {
    for (const { name } of this.tables) {
      // The schema itself creates one organization.
      const { rows } = await this.client.query(`SELECT 1 FROM ${name} LIMIT 2`)
      if (rows.length <= (name === 'organizations' ? 1 : 0)) continue
      throw new CopyTargetError(
        `the database is in use already: there are rows in ${name}. Create an empty database for the copy`,
      )
    }
  }

  private async start({ place, state }: CopySource): Promise<void> {
    const names = this.tables.map(({ name }) => name)
    await this.inTransaction(async () => {
      await this.client.query(`TRUNCATE ${[...names, ...ownTables, 'issue_texts'].join(', ')}`)
      await this.client.query(
        `CREATE TABLE IF NOT EXISTS ${progressTable} (
           table_name text NOT NULL PRIMARY KEY, place text NOT NULL, state text NOT NULL,
           row_count bigint NOT NULL, sums text NOT NULL)`,
      )
      await this.client.query(`DELETE FROM ${progressTable}`)
      await this.client.query(
        `INSERT INTO ${progressTable} SELECT name, $2, $3, 0, '[]' FROM unnest($1::text[]) AS name`,
        [names, place, state],
      )
    })
    for (const table of this.tables) Object.assign(table, { rowCount: 0, sums: [] })
  }

  private async inTransaction(work: () => Promise<void>): Promise<void> {
    await this.client.query('BEGIN')
    try {
      await work()
      await this.client.query('COMMIT')
    } catch (error) {
      // A lost connection has no transaction to roll back.
      await this.client.query('ROLLBACK').catch(() => undefined)
      throw error
    }
  }
}

async function readTables(client: Client): Promise<TableCopy[]> {
  const { rows } = await client.query<{ table: string; name: string; type: string }>(
    `SELECT table_name AS "table", column_name AS name, data_type AS type FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name NOT IN ('schema_migrations', 'issue_texts', '${progressTable}')
     ORDER BY table_name, ordinal_position`,
  )
  const references = await client.query<{ from: string; to: string }>(
    `SELECT DISTINCT conrelid::regclass::text AS "from", confrelid::regclass::text AS "to"
     FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`,
  )
  const columns = Map.groupBy(
    rows.filter(({ table }) => !ownTables.includes(table)),
    ({ table }) => table,
  )
  const tables: TableCopy[] = []
  const add = (table: string) => {
    if (tables.some(({ name }) => name === table)) return
    for (const { from, to } of references.rows) if (from === table && to !== table) add(to)
    const own = (columns.get(table) ?? []).map(({ name, type }) => ({ name, type }))
    tables.push({ name: table, columns: own, rowCount: 0, sums: [] })
  }
  for (const table of columns.keys()) add(table)
  return tables
}

async function readTriggered(client: Client): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT DISTINCT c.relname AS name FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
     WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace`,
  )
  return new Set(rows.map(({ name }) => name))
}
