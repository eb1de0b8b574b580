import type { SqlInput } from '#server/store/engine/connection.ts'
import type { ConnectionStatement, QueryResult } from '#server/store/engine/postgres/connection-message.ts'
import { CachedRead } from '#server/store/engine/postgres/read-cache.ts'
import { describeStatements } from './describe.ts'
import { SetStatement } from './set-statement.ts'

/** The statements that a connection has prepared, and what its transaction has read with them. */
export class PreparedStatements {
  /** Both by text. */
  private readonly statements = new Map<string, SetStatement>()
  private readonly reads = new Map<string, CachedRead>()
  /** By the table whose writes concern them. */
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

  /** Call for each row that the transaction writes: later reads of it must find it. */
  noteWrite(statement: SetStatement, values: SqlInput[]): void {
    for (const read of this.readsOfTable.get(statement.shape.tables[0] ?? '') ?? [])
      read.noteWrite(statement, values)
  }

  /** Asks the server for the types of the statements that are new. */
  describe(request: (statements: ConnectionStatement[]) => QueryResult[]): void {
    if (this.undescribed.length === 0) return
    const statements = this.undescribed
    describeStatements(statements, request)
    this.undescribed = []
  }
}
