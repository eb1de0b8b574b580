import { SqliteQueryCompiler, type FunctionNode } from 'kysely'
import { perEngineFunction } from '#server/store/engine/per-engine.ts'

/** Writes queries in SQLite's SQL. */
export class SqliteCompiler extends SqliteQueryCompiler {
  protected override visitFunction(node: FunctionNode): void {
    const [own] = node.arguments
    if (node.func === perEngineFunction && own !== undefined) this.visitNode(own)
    else super.visitFunction(node)
  }
}
