import type { SqlInput, Statement } from '#server/store/engine/connection.ts'
import type { IssueTextStatement } from '#server/store/engine/engine.ts'
import type { Store } from '#server/store/store.ts'

/** Runs statements, each prepared once. */
export interface PartStatements {
  run: (sql: string, ...values: SqlInput[]) => void
  /** Runs a statement and returns the number of changed rows. */
  change: (sql: string, ...values: SqlInput[]) => number
  all: (sql: string, ...values: SqlInput[]) => Record<string, unknown>[]
  /** The columns that issues and parts have in common, without the key and the number. */
  columns: string
  issueText: IssueTextStatement
  /** Unix milliseconds. */
  clock: () => number
}

/** Creates statements on the writer's connection. */
export function createPartStatements({ connection, engine, clock }: Store): PartStatements {
  const prepared = new Map<string, Statement>()
  const prepare = (sql: string) => {
    const known = prepared.get(sql) ?? connection.prepare(sql)
    prepared.set(sql, known)
    return known
  }
  const parts = new Set(engine.listColumns('issue_parts'))
  const shared = engine.listColumns('issues').filter((name) => parts.has(name))
  return {
    run: (sql, ...values) => void prepare(sql).run(...values),
    change: (sql, ...values) => Number(prepare(sql).run(...values).changes),
    all: (sql, ...values) => prepare(sql).all(...values),
    columns: shared.filter((name) => !['project_id', 'id', 'number'].includes(name)).join(', '),
    issueText: engine.prepareIssueText(),
    clock,
  }
}
