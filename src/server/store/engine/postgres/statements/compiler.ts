import { PostgresQueryCompiler, type FunctionNode, type PrimitiveValueListNode } from 'kysely'
import { perEngineFunction } from '#server/store/engine/per-engine.ts'

/** Writes queries in PostgreSQL's SQL. */
export class PostgresCompiler extends PostgresQueryCompiler {
  protected override visitFunction(node: FunctionNode): void {
    const [, own] = node.arguments
    if (node.func === perEngineFunction && own !== undefined) this.visitNode(own)
    else super.visitFunction(node)
  }

  /** `IN ()` is a syntax error in PostgreSQL; `IN (NULL)` is never true. */
  protected override visitPrimitiveValueList(node: PrimitiveValueListNode): void {
    if (node.values.length === 0) this.append('(null)')
    else super.visitPrimitiveValueList(node)
  }
}
