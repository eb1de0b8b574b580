import type { Compilable, CompiledQuery } from 'kysely'
import { BoundedMap } from '#server/bounded-map.ts'
import type { Db } from './schema/database.ts'

/** A value of a query, or the values of a list in it. */
type QueryValue = string | number | bigint | Uint8Array | readonly (string | number)[]

/** Compiled texts of one query: lists of other lengths are other texts. */
const keptTexts = 50

/** A value that each execution sets. */
class Placeholder {
  readonly name: string
  /** In a list. */
  readonly index: number | undefined

  constructor(name: string, index?: number) {
    this.name = name
    this.index = index
  }

  /** Arithmetic and comparisons belong outside of the query: here they would have no value. */
  [Symbol.toPrimitive](): never {
    throw new TypeError(`the value "${this.name}" of a prepared query is only known when it is executed`)
  }
}

/** Executes a query; resolves with its rows. */
type PreparedQuery<Values, Row> = (db: Db, values: Values) => Promise<Row[]>

/**
 * Prepares a query that is built and compiled once, instead of for each execution: this saves a third of the
 * CPU time of a short query (`npm run bench -- reads`). `build` must use its values only as values of the
 * query, because it gets placeholders: the text may depend on nothing but the lengths of lists.
 */
export function prepareQuery<Values extends object, Row>(
  build: (db: Db, values: Values) => Compilable<Row> | CompiledQuery<Row>,
): PreparedQuery<Values & { [Name in keyof Values]: QueryValue }, Row> {
  const textsBy = new WeakMap<Db, BoundedMap<string, CompiledQuery<Row>>>()
  return async (db, values) => {
    const { rows } = await db.executeQuery(
      isLasting(db) ? bind(findText(db, values), values) : compile(build(db, values)),
    )
    return rows
  }

  function findText(db: Db, values: Values): CompiledQuery<Row> {
    let texts = textsBy.get(db)
    if (texts === undefined) {
      texts = new BoundedMap(keptTexts)
      textsBy.set(db, texts)
    }
    return texts.getOrCreate(listLengths(values), () => compile(build(db, toPlaceholders(values))))
  }
}

/** False for a transaction, which is another object each time, and if a plugin has to see each query. */
function isLasting(db: Db): boolean {
  return !db.isTransaction && db.getExecutor().plugins.length === 0
}

function compile<Row>(query: Compilable<Row> | CompiledQuery<Row>): CompiledQuery<Row> {
  return 'compile' in query ? query.compile() : query
}

function listLengths(values: object): string {
  let key = ''
  for (const [name, value] of Object.entries(values))
    if (Array.isArray(value)) key += ` ${name} ${value.length}`
  return key
}

function toPlaceholders<Values extends object>(values: Values): Values {
  const placeholders = Object.entries(values).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map((_, index) => new Placeholder(name, index)) : new Placeholder(name),
  ])
  // For Kysely they are values like any other.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(placeholders) as Values
}

function bind<Row>(text: CompiledQuery<Row>, values: object): CompiledQuery<Row> {
  const parameters = text.parameters.map((parameter) =>
    parameter instanceof Placeholder ? readValue(values, parameter) : parameter,
  )
  return { query: text.query, queryId: text.queryId, sql: text.sql, parameters }
}

function readValue(values: object, { name, index }: Placeholder): unknown {
  const value: unknown = Reflect.get(values, name)
  return index === undefined || !Array.isArray(value) ? value : value[index]
}
