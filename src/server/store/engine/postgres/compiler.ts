import { PostgresQueryCompiler } from 'kysely'
import type { FunctionNode } from 'kysely'
import { perEngineFunction } from '#server/store/engine/per-engine.ts'

/** Writes queries in PostgreSQL's SQL. */
export class PostgresCompiler extends PostgresQueryCompiler {
  protected override visitFunction(node: FunctionNode): void {
    const [, own] = node.arguments
    if (node.func === perEngineFunction && own !== undefined) this.visitNode(own)
    else super.visitFunction(node)
  }
}
