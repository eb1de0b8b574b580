import type { SqlInput } from '#server/store/engine/connection.ts'
import type { ConnectionStatement } from '#server/store/engine/postgres/connection-message.ts'
import { bufferOf, toArrayText } from './array-text.ts'
import { parseStatementShape, toRowsSql, toSetSql, type StatementShape } from './shape.ts'

/** What PostgreSQL reports about a statement. */
export interface StatementTypes {
  /** The type of each parameter. */
  types: readonly string[]
  /** The columns of the primary key of the first table. */
  primaryKey: readonly string[]
}

/** A statement for some rows of a set. */
export interface SetRequest {
  request: ConnectionStatement
  /** Indexes of its rows in the set. Returned rows contain the position among these, from 1, as `set_row`. */
  at: readonly number[]
}

/**
 * Maximum rows of an `INSERT … VALUES`. Row counts are powers of two up to this one, so that there are few
 * statement texts.
 */
const mostRows = 64

/** A statement that can run for a set of rows. */
export class SetStatement {
  readonly sql: string
  readonly shape: StatementShape
  private described: (StatementTypes & { setSql: string; isDistributed: boolean }) | undefined

  constructor(sql: string) {
    this.sql = sql
    this.shape = parseStatementShape(sql)
  }

  /** `isDistributed`: the tables are distributed by project, and a statement should concern one project. */
  describe(types: StatementTypes, isDistributed = false): void {
    const setSql = toSetSql(this.sql, this.shape.kind, types)
    this.described = {
      ...types,
      isDistributed,
      setSql: isPresenceSql(this) && !isDistributed ? toNumbersSql(setSql) : setSql,
    }
  }

  /** The columns of the primary key of the first table. */
  get primaryKey(): readonly string[] {
    return this.require().primaryKey
  }

  /** The types of the parameters. */
  get types(): readonly string[] {
    return this.require().types
  }

  get isDistributed(): boolean {
    return this.require().isDistributed
  }

  /** The values of columns; undefined unless they are parameters. */
  findValues(columns: Iterable<string>, values: readonly SqlInput[]): SqlInput[] | undefined {
    const found: SqlInput[] = []
    for (const name of columns) {
      const index = this.shape.columns.get(name)
      if (index === undefined) return undefined
      found.push(values[index] ?? null)
    }
    return found
  }

  /** One statement for one row. */
  forRow(values: SqlInput[]): ConnectionStatement {
    return { sql: this.sql, values }
  }

  /** One statement for all rows, or, with distributed tables, one per project. */
  forRows(rows: readonly SqlInput[][]): SetRequest[] {
    const { types, setSql, isDistributed } = this.require()
    if (isDistributed) return this.forProjects(rows)
    const values = types.map((_, at) => toArrayText(rows.map((row) => row[at] ?? null)))
    return [{ request: { sql: setSql, values }, at: [...rows.keys()] }]
  }

  /** Statements that Citus routes to one node each: they contain the project as a constant. */
  private forProjects(rows: readonly SqlInput[][]): SetRequest[] {
    const projectAt = this.shape.columns.get('project_id')
    const forRow = (at: number) => ({ request: this.forRow(rows[at] ?? []), at: [at] })
    if (projectAt === undefined) return [...rows.keys()].map(forRow)
    const groups = Map.groupBy(rows.keys(), (at) => rows[at]?.[projectAt] ?? null)
    return [...groups].flatMap(([projectId, group]) => {
      if (group.length === 1) return group.map(forRow)
      if (this.shape.kind === 'insert') return this.forInsert(rows, group)
      const { types } = this.require()
      const others = [...types.keys()].filter((at) => at !== projectAt)
      const arrays = others.map((at) => toArrayText(group.map((index) => rows[index]?.[at] ?? null)))
      const sql = toSetSql(this.sql, this.shape.kind, { types, sharedAt: projectAt })
      return [{ request: { sql, values: [projectId, ...arrays] }, at: group }]
    })
  }

  /** Citus routes rows selected from arrays through the coordinator, but `VALUES` directly to a node. */
  private forInsert(rows: readonly SqlInput[][], group: readonly number[]): SetRequest[] {
    const { types } = this.require()
    const requests: SetRequest[] = []
    let begin = 0
    while (begin < group.length) {
      const count = Math.min(mostRows, 2 ** Math.floor(Math.log2(group.length - begin)))
      const at = group.slice(begin, begin + count)
      const values = at.flatMap((index) => types.map((_, column) => rows[index]?.[column] ?? null))
      requests.push({ request: { sql: toRowsSql(this.sql, types, count), values }, at })
      begin += count
    }
    return requests
  }

  private require() {
    if (this.described === undefined) throw new Error(`an undescribed statement: ${this.sql}`)
    return this.described
  }
}

/** True for a statement that only checks whether the row of a key exists. */
export function isPresenceSql({ sql, shape }: SetStatement): boolean {
  return /^SELECT 1 FROM \w+ WHERE /.test(sql) && shape.isByColumns
}

/** Returns one row with the numbers of existing rows: for thousands of rows, the driver takes 1 ms. */
function toNumbersSql(setSql: string): string {
  return `SELECT string_agg(set_row::text, ',') AS set_rows FROM (${setSql}) AS present`
}

/** Values as the key of a map. */
export function toKeyText(values: readonly SqlInput[]): string {
  let text = ''
  for (const value of values)
    text += ArrayBuffer.isView(value) ? `${bufferOf(value).toString('latin1')}\0` : `${value}\0`
  return text
}

/** The statement that checks whether the row exists that another statement writes. */
export function toPresenceSql({ shape, primaryKey }: SetStatement): string {
  const condition = primaryKey.map((name, at) => `${name} = $${at + 1}`).join(' AND ')
  return `SELECT 1 FROM ${shape.tables[0]} WHERE ${condition}`
}
