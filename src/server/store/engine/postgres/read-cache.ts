import { limits } from '#server/limits.ts'
import type { SqlInput, SqlRow } from '#server/store/engine/connection.ts'
import type { ConnectionStatement } from './connection-message.ts'
import { isPresenceSql, toKeyText, type SetStatement } from './statements/set-statement.ts'

/** The result of a statement that only checks whether a row exists. */
const oneRow: SqlRow[] = [{}]
const noRows: SqlRow[] = []

/**
 * A statement that reads, and the rows that it has returned in this transaction. It only saves round trips,
 * which `npm run bench -- committer` counts.
 */
export class CachedRead {
  readonly statement: SetStatement
  /** True if it only checks whether the row of a primary key exists. */
  private readonly isPresence: boolean
  /** Rows by all parameters, grouped by the values of the columns that it compares with parameters. */
  private readonly rows = new Map<string, Map<string, SqlRow[]>>()
  /** Keys of rows that exist and of rows that do not, for a statement that only checks existence. */
  private readonly present = new Set<string>()
  private readonly absent = new Set<string>()
  private expected = new Map<string, SqlInput[]>()
  /** True if the parameters are exactly the compared columns, in their order. */
  private readonly isKeyOnly: boolean
  /** True if a statement does not change rows that this one reads. */
  private readonly irrelevant = new Map<SetStatement, boolean>()

  constructor(statement: SetStatement) {
    this.statement = statement
    this.isPresence = isPresenceSql(statement)
    const { columns } = statement.shape
    this.isKeyOnly =
      [...columns.values()].every((index, at) => index === at) &&
      !statement.sql.includes(`$${columns.size + 1}`)
  }

  get isExpected(): boolean {
    return this.expected.size > 0
  }

  find(values: readonly SqlInput[]): SqlRow[] | undefined {
    const key = this.keyOf(values)
    if (!this.isPresence) return this.rows.get(key)?.get(toKeyText(values))
    if (this.present.has(key)) return oneRow
    return this.absent.has(key) ? noRows : undefined
  }

  expect(values: SqlInput[]): void {
    if (this.find(values) === undefined) this.expected.set(toKeyText(values), values)
  }

  /** Returns the statements that read the announced rows, and the callbacks for their results. */
  takeExpected(): { request: ConnectionStatement; accept: (rows: SqlRow[]) => void }[] {
    const sets = [...this.expected.values()]
    this.expected = new Map()
    const [only] = sets
    if (only !== undefined && sets.length === 1)
      return [{ request: this.statement.forRow(only), accept: (rows) => this.set(only, rows) }]
    return this.statement.forRows(sets).map(({ request, at }) => ({
      request,
      accept: (rows) => {
        const [first] = rows
        if (first !== undefined && 'set_rows' in first) {
          this.setPresences(sets, first['set_rows'])
          return
        }
        const found = Map.groupBy(rows, (row) => Number(row['set_row'] ?? 1) - 1)
        for (const [index, setIndex] of at.entries()) {
          const values = sets[setIndex]
          if (values !== undefined) this.set(values, found.get(index) ?? [])
        }
      },
    }))
  }

  /** Updates the cache after a write of a statement. */
  noteWrite(written: SetStatement, values: readonly SqlInput[]): void {
    if (this.isIrrelevant(written)) return
    const { kind, isByColumns } = written.shape
    const { columns } = this.statement.shape
    const key = isByColumns ? written.findValues(columns.keys(), values) : undefined
    if (key === undefined || columns.size === 0) this.clear()
    else if (!this.isPresence) this.rows.delete(toKeyText(key))
    else if (kind === 'insert') this.setPresence(toKeyText(key), true)
    else if (kind === 'delete' && written.shape.columns.size === columns.size)
      this.setPresence(toKeyText(key), false)
    else this.deletePresence(toKeyText(key))
  }

  clear(): void {
    this.rows.clear()
    this.present.clear()
    this.absent.clear()
  }

  reset(): void {
    this.clear()
    this.expected.clear()
  }

  /**
   * For a transaction that directly follows the last one of this connection: keeps the keys of existing rows.
   * Keys of missing rows are of no use, because these rows are checked just before they are written.
   */
  keepPresent(): void {
    this.rows.clear()
    this.absent.clear()
    this.expected.clear()
    if (this.present.size > limits.cachedStoreRows) this.present.clear()
  }

  private set(values: readonly SqlInput[], rows: SqlRow[]): void {
    const key = this.keyOf(values)
    if (this.isPresence) {
      this.setPresence(key, rows.length > 0)
      return
    }
    const known = this.rows.get(key)
    if (known === undefined) this.rows.set(key, new Map([[toKeyText(values), rows]]))
    else known.set(toKeyText(values), rows)
  }

  /** `numbers`: of the rows that exist, from 1, or null. */
  private setPresences(sets: readonly SqlInput[][], numbers: unknown): void {
    for (const values of sets) this.absent.add(this.keyOf(values))
    if (typeof numbers !== 'string') return
    for (const number of numbers.split(',')) {
      const values = sets[Number(number) - 1]
      if (values !== undefined) this.setPresence(this.keyOf(values), true)
    }
  }

  private setPresence(key: string, isPresent: boolean): void {
    this.deletePresence(key)
    if (isPresent) this.present.add(key)
    else this.absent.add(key)
  }

  private deletePresence(key: string): void {
    this.present.delete(key)
    this.absent.delete(key)
  }

  private keyOf(values: readonly SqlInput[]): string {
    if (this.isKeyOnly) return toKeyText(values)
    const { shape } = this.statement
    return toKeyText([...shape.columns.values()].map((index) => values[index] ?? null))
  }

  /** True for an update of columns that this statement does not name. */
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
