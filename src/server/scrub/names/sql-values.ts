import type { FindingList } from '#server/scrub/finding-list.ts'
import { isMarkAt } from '#server/scrub/scrub-rule.ts'
import { nameBefore } from './assigned-name.ts'
import { canBeSecret, isSecretValue, ruleOf, type FieldName, type ReadName } from './field-name.ts'

/** Statements that name their columns: `INSERT INTO users (email, password) VALUES (`. */
const insert = /\binto\s{1,8}[^\s()]{1,200}\s{0,8}\(([^()]{1,4000})\)\s{0,8}values\s{0,8}(?=\()/gi

/** Statements that set the password of a database's user. */
const userStatement =
  /\b(?:(?:create|alter)\s{1,4}(?:user|role|login)|grant)\s[^;]{1,200}?\b(?:password|identified\s{1,4}by)\s{0,4}=?\s{0,4}'((?:[^'\\]|\\.|'')+)/dgis

/** A range of a text, without the blanks around it. */
interface Range {
  start: number
  end: number
}

interface Search {
  readName: ReadName
  findings: FindingList
}

/**
 * Finds values of secret columns that no sign assigns: those of `INSERT`, also as parameters in messages of
 * SQLAlchemy, and passwords in `CREATE USER` and `ALTER USER`.
 */
export function findSqlValues(text: string, readName: ReadName, findings: FindingList): void {
  const search = { readName, findings }
  if (hasEither(text, 'VALUES', 'values')) findInserted(text, search)
  findParameters(text, search)
  if (!canBeSecret(readName('password'))) return
  if (hasEither(text, 'IDENTIFIED', 'identified') || hasEither(text, "PASSWORD '", "password '"))
    findings.search(text, userStatement, ({ indices }) => {
      const [start, end] = indices?.[1] ?? [0, 0]
      if (!isMarkAt(text, start)) findings.add(start, end, 'password')
    })
}

function hasEither(text: string, upperCase: string, lowerCase: string): boolean {
  return text.includes(upperCase) || text.includes(lowerCase)
}

function findInserted(text: string, search: Search): void {
  insert.lastIndex = 0
  while (!search.findings.isFull) {
    const match = insert.exec(text)
    if (match === null) return
    const columns = readColumns(match[1] ?? '', search.readName)
    // Values are read once, even if they contain another statement: the time is linear.
    if (columns.some(canBeSecret))
      insert.lastIndex = findInTuples(text, insert.lastIndex, { columns, findings: search.findings })
  }
}

const parametersStart = '[parameters: '

/**
 * Messages of SQLAlchemy, `[SQL: INSERT …]` and `[parameters: ('jo', 'hunter2')]`: the columns are those of
 * the statement's placeholders, in their order.
 */
function findParameters(text: string, search: Search): void {
  let at = text.indexOf(parametersStart)
  let statementAt = at === -1 ? -1 : text.indexOf('[SQL: ')
  while (statementAt !== -1 && at !== -1 && !search.findings.isFull) {
    const columns = at < statementAt ? [] : placeholderColumns(text.slice(statementAt, at), search.readName)
    let end = at + parametersStart.length
    if (text.charAt(end) === '[') end += 1
    if (columns.some(canBeSecret)) end = findInTuples(text, end, { columns, findings: search.findings })
    at = text.indexOf(parametersStart, end)
    if (statementAt < end) statementAt = text.indexOf('[SQL: ', end)
  }
}

const placeholder = /\?|%s|\$\d{1,3}|:\w{1,60}/y
const anyPlaceholder = /(?<![\w'"])(?:\?|%s|\$\d{1,3}|:\d{1,3})(?![\w'"])/g

/** The column of each placeholder: of an `INSERT`, or `password = ?`. */
function placeholderColumns(statement: string, readName: ReadName): FieldName[] {
  insert.lastIndex = 0
  const match = insert.exec(statement)
  const inserted = match === null ? [] : readColumns(match[1] ?? '', readName)
  const valuesAt = insert.lastIndex
  const { ranges } = match === null ? { ranges: [] } : readTuple(statement, valuesAt)
  let position = 0
  return [...statement.matchAll(anyPlaceholder)].map(({ index }) => {
    while ((ranges[position]?.end ?? index + 1) <= index) position += 1
    const isValue = (ranges[position]?.start ?? index + 1) <= index
    return (isValue ? inserted[position] : undefined) ?? readName(nameBeforeSign(statement, index))
  })
}

/** `password = ?` */
function nameBeforeSign(statement: string, placeholderAt: number): string {
  let at = placeholderAt - 1
  while (placeholderAt - at < 4 && statement.charAt(at) === ' ') at -= 1
  return statement.charAt(at) === '=' ? (nameBefore(statement, at)?.text ?? '') : ''
}

function readColumns(list: string, readName: ReadName): FieldName[] {
  return list.split(',').map((column) => readName(unquoted(column)))
}

function unquoted(name: string): string {
  return name.replaceAll(/[\s"'`[\]\\]/g, '')
}

/** Finds the secrets in the tuples that begin at `at`, separated by commas; returns their end. */
function findInTuples(
  text: string,
  at: number,
  { columns, findings }: { columns: readonly FieldName[]; findings: FindingList },
): number {
  let end = at
  while (text.charAt(end) === '(' && !findings.isFull) {
    const tuple = readTuple(text, end)
    for (const [index, value] of tuple.ranges.entries()) {
      const column = columns[index]
      const secret = column === undefined ? undefined : findSecret(text, value, column)
      if (column !== undefined && secret !== undefined) findings.add(secret.start, secret.end, ruleOf(column))
    }
    end = tuple.end
    nextTuple.lastIndex = end
    if (nextTuple.test(text)) end = nextTuple.lastIndex
  }
  return end
}

const nextTuple = /\s{0,100},\s{0,100}(?=\()/y

/**
 * Laravel's messages have values without quotes: `values (jo@shop.example, $2y$12$abc)`. A word without a
 * digit or a symbol is a name, for example of a constant.
 */
const bareLiteral = /^(?![?:@%{[]|\$\d{1,3}$|current_|local)(?=[^\s]*[\d$!#&*+=^~/])[^\s()'"]{4,512}$/i

/** Literals in quotes, and the arguments of a function; not the names of other columns, nor placeholders. */
function findSecret(text: string, { start, end }: Range, column: FieldName): Range | undefined {
  if (!canBeSecret(column)) return undefined
  const value = text.slice(start, end)
  const isNumber = /^\d/.test(value)
  const first = value.search(/['"]/)
  if (!isNumber && first === -1)
    return bareLiteral.test(value) && isSecretValue(column, value) ? { start, end } : undefined
  if (isNumber) return column.kind !== 'counted' && isSecretValue(column, value) ? { start, end } : undefined
  const last = Math.max(value.lastIndexOf("'"), value.lastIndexOf('"'))
  const secret = { start: start + first + 1, end: last > first ? start + last : end }
  placeholder.lastIndex = secret.start
  const isPlaceholder = placeholder.test(text) && placeholder.lastIndex >= secret.end
  if (secret.end <= secret.start || isPlaceholder || isMarkAt(text, secret.start)) return undefined
  return isSecretValue(column, text.slice(secret.start, secret.end)) ? secret : undefined
}

/** The values of a tuple whose bracket is at `at`. A truncated one extends to the end of the text. */
function readTuple(text: string, at: number): { ranges: Range[]; end: number } {
  const ranges: Range[] = []
  let depth = 0
  let start = at + 1
  for (let index = at; index < text.length; index += 1) {
    const character = text.charAt(index)
    if (character === "'" || character === '"') {
      index = quoteEnd(text, index, character)
    } else if (character === '(') {
      depth += 1
    } else if (depth === 1 && (character === ',' || character === ')')) {
      ranges.push(trimmed(text, start, index))
      start = index + 1
    }
    if (character === ')') depth -= 1
    if (depth === 0) return { ranges, end: index + 1 }
  }
  ranges.push(trimmed(text, start, text.length))
  return { ranges, end: text.length }
}

/** The position of the closing quote: a doubled one opens the literal again. In JSON both are escaped. */
function quoteEnd(text: string, openAt: number, quote: string): number {
  const escape = text.charAt(openAt - 1) === '\\' ? '' : '\\'
  let at = openAt + 1
  while (at < text.length && text.charAt(at) !== quote) at += text.charAt(at) === escape ? 2 : 1
  return at
}

function trimmed(text: string, from: number, to: number): Range {
  let [start, end] = [from, to]
  while (start < end && text.charAt(start) <= ' ') start += 1
  while (end > start && text.charAt(end - 1) <= ' ') end -= 1
  return { start, end }
}
