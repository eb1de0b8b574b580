import { PostgresQueryCompiler } from 'kysely'
import type { FunctionNode } from 'kysely'
import { jsonRowsFunction } from '#server/store/engine/json-rows.ts'

/** Writes queries in PostgreSQL's SQL. */
export class PostgresCompiler extends PostgresQueryCompiler {
  protected override visitFunction(node: FunctionNode): void {
    const [, subquery] = node.arguments
    if (node.func !== jsonRowsFunction || subquery === undefined) {
      super.visitFunction(node)
      return
    }
    this.append(`(select coalesce(json_agg(agg), '[]') from `)
    this.visitNode(subquery)
    this.append(' as agg)')
  }
}
