/** The properties of a statement in PostgreSQL's SQL, read from its text. */
export interface StatementShape {
  kind: 'select' | 'insert' | 'update' | 'delete'
  /** The first table is written; the others are read. */
  tables: string[]
  /**
   * Columns whose values are parameters: they are inserted, or compared in a condition. The value is the
   * index of the parameter, from 0.
   */
  columns: ReadonlyMap<string, number>
  /** True if rows are selected by `columns` alone, so that one statement for a set can replace it. */
  isByColumns: boolean
  /** The columns that an update sets. */
  assigned: readonly string[]
}

const parameter = /^\$(\d+)(?:::\w+)?$/

/** Parses the shape of a statement. Throws if it is not written in the style of the store's statements. */
export function parseStatementShape(sql: string): StatementShape {
  const text = sql.trim().replaceAll(/\s+/g, ' ')
  const inserted = /^INSERT INTO (\w+) \(([^)]*)\) VALUES \((.*?)\)(?: ON CONFLICT .*)?$/.exec(text)
  if (inserted) return toInsert(inserted)
  const updated = /^UPDATE (\w+) SET (.*?) WHERE (.*)$/.exec(text)
  if (updated) {
    const [, table = '', assignments = '', condition = ''] = updated
    const assigned = [...assignments.matchAll(/(?:^|, )(\w+) = /g)].map(([, name = '']) => name)
    return { kind: 'update', tables: [table], ...parseCondition(condition), assigned }
  }
  const deleted = /^DELETE FROM (\w+) WHERE (.*)$/.exec(text)
  if (deleted) {
    const [, table = '', condition = ''] = deleted
    return { kind: 'delete', tables: [table], ...parseCondition(condition), assigned: [] }
  }
  if (!text.startsWith('SELECT ')) throw new Error(`a statement of an unknown shape: ${text}`)
  const tables = [...text.matchAll(/\b(?:FROM|JOIN) (\w+)/g)].map(([, name = '']) => name)
  const condition = /.* WHERE (.*?)(?: (?:GROUP|ORDER|LIMIT) .*)?$/.exec(text)?.[1] ?? ''
  return { kind: 'select', tables, ...parseCondition(condition), assigned: [] }
}

function toInsert([, table = '', names = '', values = '']: RegExpExecArray): StatementShape {
  const columns = new Map<string, number>()
  const expressions = values.split(', ')
  for (const [at, name] of names.split(', ').entries()) {
    const index = parameter.exec(expressions[at] ?? '')?.[1]
    if (index !== undefined) columns.set(name, Number(index) - 1)
  }
  return { kind: 'insert', tables: [table], columns, isByColumns: true, assigned: [] }
}

function parseCondition(condition: string): Pick<StatementShape, 'columns' | 'isByColumns'> {
  const columns = new Map<string, number>()
  if (/\b(?:SELECT|RETURNING)\b/.test(condition)) return { columns, isByColumns: false }
  const terms = condition.split(' AND ')
  for (const term of terms) {
    const [, name, index] = /^(?:\w+\.)?(\w+) = \$(\d+)$/.exec(term) ?? []
    if (name !== undefined) columns.set(name, Number(index) - 1)
  }
  return { columns, isByColumns: columns.size === terms.length }
}

/**
 * The statement for a set of rows: parameter n is an array with the nth value of each row. `types` are the
 * types of the parameters. A select also returns the number of each row's set row, from 1, as `set_row`.
 *
 * With `sharedAt`, the index of a parameter, all rows share its value: it is `$1`, and the arrays of the
 * others follow.
 */
export function toSetSql(
  sql: string,
  kind: StatementShape['kind'],
  { types, sharedAt }: { types: readonly string[]; sharedAt?: number },
): string {
  const text = sql.replaceAll(/\$(\d+)/g, (_, number) =>
    Number(number) - 1 === sharedAt ? `$1::${types[sharedAt]}` : `given.p${number}`,
  )
  const own = [...types.keys()].filter((at) => at !== sharedAt)
  const first = sharedAt === undefined ? 1 : 2
  const arrays = own.map((at, index) => `$${first + index}::${types[at]}[]`).join(', ')
  const names = own.map((at) => `p${at + 1}`)
  const rows = `unnest(${arrays})`
  const given = `${rows} AS given (${names.join(', ')})`
  if (kind === 'insert')
    return text.replace(
      /VALUES \((.*?)\)(?=\s*(?:ON CONFLICT|$))/s,
      (_, values: string) => `SELECT ${values} FROM ${given}`,
    )
  if (kind === 'update') return text.replace(/\sWHERE\s/, () => ` FROM ${given} WHERE `)
  if (kind === 'delete') return text.replace(/\sWHERE\s/, () => ` USING ${given} WHERE `)
  return (
    `SELECT given.set_row, found.* FROM ${rows} WITH ORDINALITY AS given (${names.join(', ')}, set_row) ` +
    `CROSS JOIN LATERAL (${text}) AS found`
  )
}

/** An `INSERT … VALUES` of several rows: the parameters of the second row follow those of the first one. */
export function toRowsSql(sql: string, types: readonly string[], rowCount: number): string {
  return sql.replace(/VALUES (\(.*?\))(?=\s*(?:ON CONFLICT|$))/s, (_, row: string) => {
    const rows = Array.from({ length: rowCount }, (_row, index) =>
      row.replaceAll(
        /\$(\d+)/g,
        (_match, number) => `$${index * types.length + Number(number)}::${types[Number(number) - 1]}`,
      ),
    )
    return `VALUES ${rows.join(', ')}`
  })
}
