import { SqliteQueryCompiler } from 'kysely'
import type { FunctionNode } from 'kysely'
import { jsonRowsFunction } from '#server/store/engine/json-rows.ts'

/** Writes queries in SQLite's SQL. */
export class SqliteCompiler extends SqliteQueryCompiler {
  protected override visitFunction(node: FunctionNode): void {
    const [expression] = node.arguments
    if (node.func === jsonRowsFunction && expression !== undefined) this.visitNode(expression)
    else super.visitFunction(node)
  }
}
