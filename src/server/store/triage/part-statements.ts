import type { SqlInput, Statement } from '#server/store/engine/connection.ts'
import type { IssueTextStatement } from '#server/store/engine/engine.ts'
import type { Store } from '#server/store/store.ts'

/** A part of a statement, with the values of its parameters. */
interface SqlFragment {
  sql: string
  values: readonly SqlInput[]
}

/** The tag of a template that is a statement. What is inserted is a parameter, unless it is a fragment. */
type StatementTag<Result> = (texts: TemplateStringsArray, ...inserted: (SqlInput | SqlFragment)[]) => Result

/** Runs statements, each prepared once. */
export interface PartStatements {
  run: StatementTag<void>
  /** Runs a statement and returns the number of changed rows. */
  change: StatementTag<number>
  all: StatementTag<Record<string, unknown>[]>
  /** The columns that issues and parts have in common, without the key and the number. */
  columns: SqlFragment
  issueText: IssueTextStatement
  /** Unix milliseconds. */
  clock: () => number
}

/** A fragment without parameters, such as the name of a table. */
export function toFragment(sql: string): SqlFragment {
  return { sql, values: [] }
}

/** A fragment with a list of parameters. */
export function toList(values: readonly SqlInput[]): SqlFragment {
  return { sql: values.map(() => '?').join(', '), values }
}

/** A template that is a fragment. */
export const fragment: StatementTag<SqlFragment> = (texts, ...inserted) => {
  const fragments = inserted.map((each) => (isFragment(each) ? each : { sql: '?', values: [each] }))
  return {
    sql: String.raw({ raw: texts }, ...fragments.map(({ sql }) => sql)),
    values: fragments.flatMap(({ values }) => values),
  }
}

function isFragment(inserted: SqlInput | SqlFragment): inserted is SqlFragment {
  return typeof inserted === 'object' && inserted !== null && 'sql' in inserted
}

/** Creates statements on the writer's connection. */
export function createPartStatements({ connection, engine, clock }: Store): PartStatements {
  const prepared = new Map<string, Statement>()
  const prepare = (sql: string) => {
    const known = prepared.get(sql) ?? connection.prepare(sql)
    prepared.set(sql, known)
    return known
  }
  const tag =
    <Result>(work: (statement: Statement, values: readonly SqlInput[]) => Result): StatementTag<Result> =>
    (texts, ...inserted) => {
      const { sql, values } = fragment(texts, ...inserted)
      return work(prepare(sql), values)
    }
  const parts = new Set(engine.listColumns('issue_parts'))
  const shared = engine.listColumns('issues').filter((name) => parts.has(name))
  return {
    run: tag((statement, values) => void statement.run(...values)),
    change: tag((statement, values) => Number(statement.run(...values).changes)),
    all: tag((statement, values) => statement.all(...values)),
    columns: toFragment(shared.filter((name) => !['project_id', 'id', 'number'].includes(name)).join(', ')),
    issueText: engine.prepareIssueText(),
    clock,
  }
}
