import type { SqlInput, SqlRow } from '#server/store/engine/connection.ts'
import type { ConnectionStatement } from './connection-message.ts'
import { toKeyText } from './statements/set-statement.ts'
import type { SetStatement } from './statements/set-statement.ts'

/** A statement that reads, and the rows that it has returned in this transaction. */
export class CachedRead {
  readonly statement: SetStatement
  /** It only tells whether the row of a primary key exists. */
  readonly isPresence: boolean
  /** Rows by all parameters, under the values of the columns that the statement compares with parameters. */
  private readonly rows = new Map<string, Map<string, SqlRow[]>>()
  private expected = new Map<string, SqlInput[]>()
  /** Whether a statement's writes leave what this one reads as it is. */
  private readonly irrelevant = new Map<SetStatement, boolean>()

  constructor(statement: SetStatement) {
    this.statement = statement
    this.isPresence = /^SELECT 1 FROM \w+ WHERE /.test(statement.sql) && statement.shape.isByColumns
  }

  get isExpected(): boolean {
    return this.expected.size > 0
  }

  find(values: readonly SqlInput[]): SqlRow[] | undefined {
    return this.rows.get(this.placeOf(values))?.get(toKeyText(values))
  }

  expect(values: SqlInput[]): void {
    if (this.find(values) === undefined) this.expected.set(toKeyText(values), values)
  }

  /** Returns the statements that read what is expected, and what takes the rows of each. */
  takeExpected(): { request: ConnectionStatement; accept: (rows: SqlRow[]) => void }[] {
    const sets = [...this.expected.values()]
    this.expected = new Map()
    const [only] = sets
    if (only !== undefined && sets.length === 1)
      return [{ request: this.statement.forRow(only), accept: (rows) => this.set(only, rows) }]
    return this.statement.forRows(sets).map(({ request, at }) => ({
      request,
      accept: (rows) => {
        const found = Map.groupBy(rows, (row) => Number(row['set_row'] ?? 1) - 1)
        for (const [index, place] of at.entries()) {
          const values = sets[place]
          if (values !== undefined) this.set(values, found.get(index) ?? [])
        }
      },
    }))
  }

  /** Keeps the cache true when a statement writes. */
  noteWrite(written: SetStatement, values: readonly SqlInput[]): void {
    if (this.isIrrelevant(written)) return
    const { kind, isByColumns } = written.shape
    const { columns } = this.statement.shape
    const place = isByColumns ? written.findValues(columns.keys(), values) : undefined
    if (place === undefined || columns.size === 0) this.rows.clear()
    else if (this.isPresence && kind === 'insert') this.set(place, [{}])
    else if (this.isPresence && kind === 'delete' && written.shape.columns.size === columns.size)
      this.set(place, [])
    else this.rows.delete(toKeyText(place))
  }

  clear(): void {
    this.rows.clear()
  }

  forget(): void {
    this.rows.clear()
    this.expected.clear()
  }

  private set(values: readonly SqlInput[], rows: SqlRow[]): void {
    const place = this.placeOf(values)
    const known = this.rows.get(place)
    if (known === undefined) this.rows.set(place, new Map([[toKeyText(values), rows]]))
    else known.set(toKeyText(values), rows)
  }

  private placeOf(values: readonly SqlInput[]): string {
    const { shape } = this.statement
    return toKeyText([...shape.columns.values()].map((index) => values[index] ?? null))
  }

  /** An update of columns that this statement does not name. */
  private isIrrelevant(written: SetStatement): boolean {
    const known = this.irrelevant.get(written)
    if (known !== undefined) return known
    const { kind, assigned } = written.shape
    const isIrrelevant =
      kind === 'update' && !assigned.some((name) => new RegExp(`\\b${name}\\b`).test(this.statement.sql))
    this.irrelevant.set(written, isIrrelevant)
    return isIrrelevant
  }
}
