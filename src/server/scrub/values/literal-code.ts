import { isBlank, type AssignedName } from '#server/scrub/names/assigned-name.ts'
import type { AssignedValue } from '#server/scrub/names/assigned-value.ts'

/** A shorter word in a literal of source code is a flag, a format or an example. */
const shortestWord = 4

/**
 * Placeholders for a value: `${x}`, `#{x}`, `{x}`, `$x`, `$(x)`, `\(x)`, `%s`, `%1$s`, `%(x)s`, `<x>`. In
 * JSON a brace begins an object, whose own names are inspected.
 */
const template =
  /[$#]?\{|\$\(|\$[A-Za-z_]+(?![^\s"'`<>&;:,)}\].])|\\\(|%[-+#]?(?:\d{1,2}\$)?\d{0,3}[sdrvqx@](?![A-Za-z\d])|%[({]|<[%\w]|\*\*|\.\.\./y

/** True if a placeholder begins at `start`, and not a value. */
export function isTemplate(line: string, start: number): boolean {
  template.lastIndex = start
  return template.test(line)
}

/** `Authorization: Bearer ` is the first half of a header: the credentials are in a variable. */
const scheme = /(?:bearer|basic|digest|negotiate|token|apikey)(?:\s+|$)/iy

/** `getPassword()`, `nth-child()`, `:password` and `@password` in SQL. */
const expression = /[:@][A-Za-z_]|[A-Za-z_][\w.-]*\(/y

/**
 * True if a literal assigns code, not a value, to a secret name: a placeholder, or the literal's own language
 * (`WHERE token = t.token`, `auth:sanctum`, `#password:focus`).
 */
export function isCodeInLiteral(
  lineToEnd: string,
  { start, end, isQuoted }: AssignedValue,
  { name, sign }: { name: AssignedName; sign: string },
): boolean {
  const bareStart = afterMatch(lineToEnd, scheme, start)
  if (bareStart >= end || isTemplate(lineToEnd, bareStart)) return true
  if (isQuoted) return false
  expression.lastIndex = start
  if (end - start < shortestWord || expression.test(lineToEnd)) return true
  const value = lineToEnd.slice(start, end)
  if (lastPart(value) === lastPart(name.text)) return true
  const isTight = sign === ':' && !name.isQuoted && !isBlank(lineToEnd.charCodeAt(start - 1))
  return isTight && !/\d/.test(value)
}

function afterMatch(line: string, pattern: RegExp, start: number): number {
  pattern.lastIndex = start
  return pattern.test(line) ? pattern.lastIndex : start
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1).toLowerCase()
}
