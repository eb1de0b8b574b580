import type { SqlInput } from '#server/store/engine/connection.ts'
import type { ConnectionStatement, QueryResult } from '#server/store/engine/postgres/connection-message.ts'
import { CachedRead } from '#server/store/engine/postgres/read-cache.ts'
import { describeStatements } from './describe.ts'
import { SetStatement } from './set-statement.ts'

/** The prepared statements of a connection, and the rows that its transaction has read with them. */
export class PreparedStatements {
  /** Both by text. */
  private readonly statements = new Map<string, SetStatement>()
  private readonly reads = new Map<string, CachedRead>()
  /** Cached reads by the tables whose writes affect them. */
  private readonly readsOfTable = new Map<string, CachedRead[]>()
  /** Statements whose types are not known yet. */
  private undescribed: SetStatement[] = []

  find(sql: string): SetStatement {
    const known = this.statements.get(sql)
    if (known !== undefined) return known
    const statement = new SetStatement(sql)
    this.statements.set(sql, statement)
    this.undescribed.push(statement)
    return statement
  }

  findRead(sql: string): CachedRead {
    const known = this.reads.get(sql)
    if (known !== undefined) return known
    const read = new CachedRead(this.find(sql))
    this.reads.set(sql, read)
    for (const table of new Set(read.statement.shape.tables)) {
      const ofTable = this.readsOfTable.get(table)
      if (ofTable === undefined) this.readsOfTable.set(table, [read])
      else ofTable.push(read)
    }
    return read
  }

  allReads(): Iterable<CachedRead> {
    return this.reads.values()
  }

  expectedReads(): CachedRead[] {
    return [...this.reads.values()].filter(({ isExpected }) => isExpected)
  }

  /** Call for each row that the transaction writes, so that later reads return it. */
  noteWrite(statement: SetStatement, values: SqlInput[]): void {
    for (const read of this.readsOfTable.get(statement.shape.tables[0] ?? '') ?? [])
      read.noteWrite(statement, values)
  }

  /** Requests the types of new statements from the server. */
  describe(request: (statements: ConnectionStatement[]) => QueryResult[]): void {
    if (this.undescribed.length === 0) return
    const statements = this.undescribed
    describeStatements(statements, request)
    this.undescribed = []
  }
}
