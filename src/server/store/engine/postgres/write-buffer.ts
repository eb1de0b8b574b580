import type { SqlInput } from '#server/store/engine/connection.ts'
import type { ConnectionStatement } from './connection-message.ts'
import { UpdateJoiner } from './statements/joined-update.ts'
import { toKeyText, type SetStatement } from './statements/set-statement.ts'

/**
 * Bytes or characters of a value above which its row is sent separately: an array would escape all of it,
 * which doubles the size of bytes.
 */
const setValueBytes = 1_000
const setValueLength = 8_000

/** Rows that one statement writes together, by their keys: each key occurs once. */
interface PendingSet {
  statement: SetStatement
  rows: Map<string, SqlInput[]>
}

/** The pending rows of one table. */
interface PendingTable {
  /** In the order of execution. */
  sets: PendingSet[]
  /** By the primary key of a row: the index of the last set that writes it. */
  lastSets: Map<string, number>
  /** The first set that further rows may join: earlier sets precede a write of unknown rows. */
  firstOpen: number
}

/**
 * The unsent writes of a transaction. Writes of different rows may be reordered, so that the writes of one
 * statement form a set; the writes of one row keep their order. Consecutive updates of a row are combined if
 * that makes no difference: each would write a new version of the row, and its entry in every index.
 */
export class WriteBuffer {
  private readonly tables = new Map<string, PendingTable>()
  private readonly joiner = new UpdateJoiner()

  add(statement: SetStatement, values: SqlInput[]): void {
    const table = this.tableOf(statement)
    const { sets, lastSets } = table
    const key = statement.shape.isByColumns ? statement.findValues(statement.primaryKey, values) : undefined
    if (key === undefined) {
      sets.push({ statement, rows: new Map([['', values]]) })
      table.firstOpen = sets.length
      return
    }
    const keyText = toKeyText(key)
    const last = lastSets.get(keyText) ?? -1
    const before = last < table.firstOpen ? undefined : sets[last]
    const joined = before && this.joinRow(before, keyText, { statement, values })
    const row = joined ?? { statement, values }
    let at = Math.max(table.firstOpen, last + 1)
    while (at < sets.length && sets[at]?.statement !== row.statement) at += 1
    const open = sets[at]
    if (open === undefined) sets.push({ statement: row.statement, rows: new Map([[keyText, row.values]]) })
    else open.rows.set(keyText, row.values)
    lastSets.set(keyText, at)
  }

  /** True if rows of one of these tables are pending. */
  holdsAny(tables: Iterable<string>): boolean {
    for (const table of tables) if (this.tables.has(table)) return true
    return false
  }

  /** Returns and removes the statements of all writes. */
  take(): ConnectionStatement[] {
    const statements: ConnectionStatement[] = []
    for (const { sets } of this.tables.values()) for (const set of sets) addStatements(statements, set)
    this.tables.clear()
    return statements
  }

  clear(): void {
    this.tables.clear()
  }

  /** Removes a row from its set, to combine it with the next update. */
  private joinRow(
    { statement: first, rows }: PendingSet,
    keyText: string,
    { statement, values }: { statement: SetStatement; values: SqlInput[] },
  ) {
    const before = rows.get(keyText)
    const joined = this.joiner.join(first, statement)
    if (before === undefined || joined === undefined) return undefined
    rows.delete(keyText)
    return { statement: joined.statement, values: joined.valuesOf(before, values) }
  }

  private tableOf({ shape }: SetStatement): PendingTable {
    const name = shape.tables[0] ?? ''
    const known = this.tables.get(name)
    if (known !== undefined) return known
    const table: PendingTable = { sets: [], lastSets: new Map(), firstOpen: 0 }
    this.tables.set(name, table)
    return table
  }
}

/** Statements for the rows of a set, in their order: others that write these rows do not deadlock. */
function addStatements(statements: ConnectionStatement[], { statement, rows: byKey }: PendingSet): void {
  let small: SqlInput[][] = []
  const addSmall = () => {
    const [first, ...others] = small
    if (first === undefined) return
    if (others.length === 0) statements.push(statement.forRow(first))
    else for (const { request } of statement.forRows(small)) statements.push(request)
    small = []
  }
  for (const row of byKey.values()) {
    if (!isLarge(row)) {
      small.push(row)
      continue
    }
    addSmall()
    statements.push(statement.forRow(row))
  }
  addSmall()
}

function isLarge(row: readonly SqlInput[]): boolean {
  return row.some((value) => {
    if (typeof value === 'string') return value.length > setValueLength
    return ArrayBuffer.isView(value) && value.byteLength > setValueBytes
  })
}
