import type { SqlInput } from '#server/store/engine/connection.ts'
import { bufferOf, toArrayText } from './array-text.ts'
import type { ConnectionStatement } from './connection-message.ts'
import { parseStatementShape, toSetSql } from './statement-shape.ts'
import type { StatementShape } from './statement-shape.ts'

/** What PostgreSQL knows of a statement. */
export interface StatementTypes {
  /** Of each parameter. */
  types: readonly string[]
  /** The columns of the primary key of the first table. */
  primaryKey: readonly string[]
}

/** A statement that can run for a set of rows. */
export class SetStatement {
  readonly sql: string
  readonly shape: StatementShape
  private described: (StatementTypes & { setSql: string }) | undefined

  constructor(sql: string) {
    this.sql = sql
    this.shape = parseStatementShape(sql)
  }

  describe(types: StatementTypes): void {
    this.described = { ...types, setSql: toSetSql(this.sql, this.shape.kind, types.types) }
  }

  /** The columns of the primary key of the first table. */
  get primaryKey(): readonly string[] {
    return this.require().primaryKey
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

  /** One statement for all rows. */
  forRows(rows: readonly SqlInput[][]): ConnectionStatement {
    const { types, setSql } = this.require()
    return { sql: setSql, values: types.map((_, at) => toArrayText(rows.map((row) => row[at] ?? null))) }
  }

  private require() {
    if (this.described === undefined) throw new Error(`an undescribed statement: ${this.sql}`)
    return this.described
  }
}

/** Values as a key of a map. */
export function toKeyText(values: readonly SqlInput[]): string {
  let text = ''
  for (const value of values)
    text += ArrayBuffer.isView(value) ? `${bufferOf(value).toString('latin1')}\0` : `${value}\0`
  return text
}

/** The statement that tells whether a table has the row that another statement writes. */
export function toPresenceSql({ shape, primaryKey }: SetStatement): string {
  const condition = primaryKey.map((name, at) => `${name} = $${at + 1}`).join(' AND ')
  return `SELECT 1 FROM ${shape.tables[0]} WHERE ${condition}`
}
