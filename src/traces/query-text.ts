import { attributeText, type Span } from './span.ts'
import type { ScrubSql } from './sql-text.ts'

const sqlStart =
  /^(?:\s|\(|\/\*|--)*(?:select|insert|update|delete|with|merge|replace|begin|commit|rollback|savepoint|release|create|alter|drop|truncate|set|show|pragma|explain|call|declare|fetch|copy|lock|start|vacuum|analyze)\b/i

/** A query with placeholders for values, not truncated; the name of the span if it has no SQL. */
export function queryText(span: Span, scrubSql: ScrubSql): string {
  const system = attributeText(span, 'db.system.name') ?? attributeText(span, 'db.system')
  const text = findQueryText(span)
  if (system === 'redis' || span.op === 'db.redis') return `${text.split(' ', 1)[0] ?? ''} *`
  if (sqlStart.test(text) || /^\s*(?:\/\*|--)/.test(text)) return scrubSql(text, system)
  return maskValues(nameOfQuery(span))
}

/** A query as sent. Attributes are truncated at half the length of a description. */
function findQueryText(span: Span): string {
  const { description = nameOfQuery(span) } = span
  const text = attributeText(span, 'db.query.text') ?? description
  return text.endsWith('…') && description.startsWith(text.slice(0, -1)) ? description : text
}

/** `SELECT shop` of `pg.query:SELECT shop`, as OpenTelemetry's instrumentation of pg names queries. */
function nameOfQuery({ name }: Span): string {
  return name.replace(/^[\w-]+\.query:/, '')
}

/**
 * The text that identifies a repeated statement: `queryText`, or its operation and table. Undefined for all
 * other spans, including those that driver instrumentations report for connections and transactions.
 */
export function repeatableText(span: Span, scrubSql: ScrubSql): string | undefined {
  const text = queryText(span, scrubSql)
  if (!isSqlStatement(text)) return undefined
  const [operation = '', target, other] = text.split(' ', 3)
  if (other !== undefined) return text
  // Only a name of a table: a database alone does not identify a statement.
  const table = attributeText(span, 'db.collection.name')
  if (table !== undefined) return `${operation} ${table}`
  const database = attributeText(span, 'db.namespace') ?? attributeText(span, 'db.name')
  return target === undefined || target === '%s' || target === database ? undefined : text
}

/** True for a result of `queryText` that only reads. */
export function isSqlRead(text: string): boolean {
  return /^\(*(?:select|with)\b/i.test(text)
}

/** True for a result of `queryText` that reads or changes rows. */
export function isSqlStatement(text: string): boolean {
  return /^\(*(?:select|with|insert|update|delete|merge|replace)\b/i.test(text)
}

/** Replaces quoted texts and numbers. */
export function maskValues(text: string): string {
  return text.replaceAll(/'[^']*'?|"[^"]*"?/g, '%s').replaceAll(/\d{2,}/g, '*')
}
