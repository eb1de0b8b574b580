import { parse } from 'libpg-query'

/** A node of PostgreSQL's parse tree, or a part of one. */
type Tree = Record<string, unknown>

/** The meaning of a name in a FROM clause: rows of a table, or a set of rows such as a function's. */
interface Source {
  id: number
  isSet: boolean
}

interface Scope {
  outer: Scope | undefined
  sources: Map<string, Source>
  /** Names of common table expressions. */
  ctes: Set<string>
}

const distributionColumn = 'project_id'

/**
 * The distributed tables of a statement that it does not limit to given projects: by `project_id =` a
 * parameter, an IN list, or the equal column of a table or set that is limited itself.
 */
export async function findUnrouted(sql: string, distributed: ReadonlySet<string>): Promise<string[]> {
  const { stmts = [] } = (await parse(sql)) as { stmts?: { stmt: Tree }[] }
  const routing = new Routing(distributed)
  for (const { stmt } of stmts) routing.visitStatement(stmt, undefined)
  return routing.findUnrouted()
}

class Routing {
  private readonly distributed: ReadonlySet<string>
  private readonly tables: { table: string; key: string }[] = []
  /** Columns that are equal, as a forest. */
  private readonly equals = new Map<string, string>()
  private readonly limited = new Set<string>()
  private sourceCount = 0

  constructor(distributed: ReadonlySet<string>) {
    this.distributed = distributed
  }

  findUnrouted(): string[] {
    const roots = new Set([...this.limited].map((key) => this.rootOf(key)))
    return this.tables.filter(({ key }) => !roots.has(this.rootOf(key))).map(({ table }) => table)
  }

  visitStatement(node: unknown, outer: Scope | undefined): void {
    const [kind, statement] = single(node)
    const scope: Scope = { outer, sources: new Map(), ctes: new Set() }
    for (const cte of listOf(treeOf(statement['withClause'])['ctes'])) {
      const [, { ctename, ctequery }] = single(cte)
      scope.ctes.add(String(ctename))
      this.visitStatement(ctequery, scope)
    }
    if (kind === 'InsertStmt') {
      this.visitInsert(statement, scope)
      return
    }
    if (kind === 'SelectStmt' && statement['larg'] !== undefined) {
      for (const side of ['larg', 'rarg']) this.visitStatement({ SelectStmt: statement[side] }, scope)
      return
    }
    const conditions = [statement['whereClause']]
    if (statement['relation'] !== undefined)
      this.addSource({ RangeVar: statement['relation'] }, scope, conditions)
    for (const item of [...listOf(statement['fromClause']), ...listOf(statement['usingClause'])])
      this.addSource(item, scope, conditions)
    for (const condition of conditions) this.addCondition(condition, scope)
    for (const part of [
      'targetList',
      'havingClause',
      'sortClause',
      'groupClause',
      'limitCount',
      'valuesLists',
    ])
      this.visitSubqueries(statement[part], scope)
    for (const condition of conditions) this.visitSubqueries(condition, scope)
  }

  private visitInsert(statement: Tree, scope: Scope): void {
    const table = String(treeOf(statement['relation'])['relname'])
    const columns = listOf(statement['cols']).map((column) => single(column)[1]['name'])
    if (this.distributed.has(table) && !columns.includes(distributionColumn))
      this.tables.push({ table, key: `insert ${table}` })
    if (statement['selectStmt'] !== undefined) this.visitStatement(statement['selectStmt'], scope)
  }

  /** Adds the names of an item of a FROM clause, and collects the conditions of its joins. */
  private addSource(item: unknown, scope: Scope, conditions: unknown[]): void {
    const [kind, found] = single(item)
    if (kind === 'JoinExpr') {
      for (const side of ['larg', 'rarg']) this.addSource(found[side], scope, conditions)
      conditions.push(found['quals'])
      return
    }
    this.sourceCount += 1
    const table = kind === 'RangeVar' ? String(found['relname']) : ''
    const { aliasname = table } = treeOf(found['alias'])
    const isSet = kind !== 'RangeVar' || hasCte(scope, table)
    if (kind === 'RangeSubselect') this.visitStatement(found['subquery'], scope)
    scope.sources.set(String(aliasname), { id: this.sourceCount, isSet })
    if (!isSet && this.distributed.has(table))
      this.tables.push({ table, key: `${this.sourceCount}.${distributionColumn}` })
  }

  private addCondition(condition: unknown, scope: Scope): void {
    if (condition === undefined) return
    const [kind, found] = single(condition)
    if (kind === 'BoolExpr' && found['boolop'] === 'AND_EXPR') {
      for (const part of listOf(found['args'])) this.addCondition(part, scope)
    } else if (kind === 'A_Expr' && isEquality(found)) {
      const isList = found['kind'] !== 'AEXPR_OP'
      if (isList && hasColumns(found['rexpr'])) return
      this.addEquality(found['lexpr'], isList ? undefined : found['rexpr'], scope)
    } else if (kind === 'SubLink' && found['subLinkType'] === 'ANY_SUBLINK') {
      if (!readsTables(found['subselect'])) this.addEquality(found['testexpr'], undefined, scope)
    }
  }

  /** `right` is absent for a list of given values. */
  private addEquality(left: unknown, right: unknown, scope: Scope): void {
    const [leftParts, rightParts] = [rowOf(left), right === undefined ? [] : rowOf(right)]
    for (const [index, part] of leftParts.entries()) {
      const [one, other] = [this.keyOf(part, scope), this.keyOf(rightParts[index], scope)]
      if (one !== undefined && other !== undefined) this.equals.set(this.rootOf(one), this.rootOf(other))
      else if (one !== undefined && !hasColumns(rightParts[index])) this.limited.add(one)
      else if (other !== undefined && !hasColumns(part)) this.limited.add(other)
    }
  }

  /** A column reference; undefined for any other expression. A column of a set has given values. */
  private keyOf(expression: unknown, scope: Scope): string | undefined {
    if (expression === undefined) return undefined
    const [kind, found] = single(expression)
    if (kind === 'TypeCast') return this.keyOf(found['arg'], scope)
    if (kind !== 'ColumnRef') return undefined
    const names = listOf(found['fields']).map((field) => String(single(field)[1]['sval']))
    const column = names.at(-1) ?? ''
    const source = findSource(scope, names.length > 1 ? names[0] : undefined)
    if (source === undefined) return undefined
    const key = `${source.id}.${column}`
    if (source.isSet) this.limited.add(key)
    return key
  }

  private visitSubqueries(part: unknown, scope: Scope): void {
    if (Array.isArray(part)) for (const each of part) this.visitSubqueries(each, scope)
    else if (typeof part === 'object' && part !== null)
      for (const [name, value] of Object.entries(part)) {
        if (name === 'subselect') this.visitStatement(value, scope)
        else this.visitSubqueries(value, scope)
      }
  }

  private rootOf(key: string): string {
    let root = key
    for (let next = this.equals.get(root); next !== undefined && next !== root; next = this.equals.get(root))
      root = next
    return root
  }
}

function findSource(scope: Scope, alias: string | undefined): Source | undefined {
  if (alias === undefined) {
    const own = [...scope.sources.values()]
    const source = own.find(({ isSet }) => !isSet) ?? own[0]
    return source ?? (scope.outer && findSource(scope.outer, alias))
  }
  return scope.sources.get(alias) ?? (scope.outer && findSource(scope.outer, alias))
}

function hasCte(scope: Scope, name: string): boolean {
  return scope.ctes.has(name) || (scope.outer !== undefined && hasCte(scope.outer, name))
}

function isEquality({ name, kind }: Tree): boolean {
  const operator = listOf(name).map((part) => single(part)[1]['sval'])
  return operator[0] === '=' && ['AEXPR_OP', 'AEXPR_OP_ANY', 'AEXPR_IN'].includes(String(kind))
}

/** The parts of a row value, or the expression itself. */
function rowOf(expression: unknown): unknown[] {
  const [kind, found] = single(expression)
  return kind === 'RowExpr' ? listOf(found['args']) : [expression]
}

function hasColumns(expression: unknown): boolean {
  const text = JSON.stringify(expression ?? null)
  return text.includes('"ColumnRef"') || text.includes('"SubLink"')
}

function readsTables(query: unknown): boolean {
  return JSON.stringify(query).includes('"RangeVar"')
}

/** A node has one key: its kind. */
function single(node: unknown): [kind: string, fields: Tree] {
  const [[kind, fields] = ['', {}]] = Object.entries(treeOf(node))
  return [kind, treeOf(fields)]
}

function treeOf(value: unknown): Tree {
  return typeof value === 'object' && value !== null ? (value as Tree) : {}
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
