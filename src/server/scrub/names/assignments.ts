import type { FindingList } from '#server/scrub/finding-list.ts'
import type { Finding } from '#server/scrub/scrub-rule.ts'
import { SignSearch, signAt } from '#server/scrub/sign-search.ts'
import { isCodeOfOauth } from '#server/scrub/values/secret-value.ts'
import { nameBefore, type AssignedName } from './assigned-name.ts'
import { valueAfter, type AssignedValue, type Assignment } from './assigned-value.ts'
import {
  canBeSecret,
  isSecretParameter,
  isSecretValue,
  ruleOf,
  type FieldName,
  type ReadName,
} from './field-name.ts'

/**
 * Finds values assigned to secret names within a text: `password=…`, `"token": "…"`, `?api_key=…`,
 * `Authorization: …`, and the same in escaped JSON and in URLs within URLs. Skips prose: "invalid token:
 * unexpected end" contains no token.
 */
export function findAssignments(text: string, readName: ReadName, findings: FindingList): void {
  const signs = new SignSearch(text)
  for (let at = signs.next(0); at < text.length && !findings.isFull; at = signs.next(at + 1)) {
    const value = findSecretValue(text, at, readName)
    if (value === undefined) continue
    findings.add(value.start, value.end, value.rule)
    at = value.end - 1
  }
}

function findSecretValue(text: string, at: number, readName: ReadName): Finding | undefined {
  const name = nameBefore(text, at)
  if (name === undefined) return undefined
  const fieldName = readName(withoutEscapes(name.text))
  const isCode = isCodeParameter(name) && fieldName.kind === 'plain'
  if (!isCode && !isSecretInText(name, fieldName)) return undefined
  const sign = signAt(text, at)
  const assignment = { name, sign, isHeader: isHeaderName(name, fieldName), isSourceCode: false }
  const isLink = isLinkSignature(name)
  const value = readTested(text, {
    valueAt: at + sign.length,
    assignment,
    isBounded: isCode || (fieldName.kind === 'conditional' && !isLink),
    isSecret: (found) =>
      isLink || (isCode ? isCallbackCode(text, found) : holdsSecret(text, found, fieldName)),
  })
  return value === undefined ? undefined : { start: value.start, end: value.end, rule: ruleOf(fieldName) }
}

/** A value to read and to test. */
interface TestedValue {
  valueAt: number
  assignment: Assignment
  /** Tests the value by its beginning. */
  isBounded: boolean
  isSecret: (value: AssignedValue) => boolean
}

const testedCharacters = 512

/**
 * Reads the value at `valueAt` if it is secret. A value that may be none is bounded: a long one would be read
 * again from each sign within it.
 */
export function readTested(
  text: string,
  { valueAt, assignment, isBounded, isSecret }: TestedValue,
): AssignedValue | undefined {
  const source = isBounded ? text.slice(0, valueAt + testedCharacters) : text
  const value = valueAfter(source, valueAt, assignment)
  if (value === undefined || !isSecret(value)) return undefined
  return value.end < source.length ? value : valueAfter(text, valueAt, assignment)
}

/** True if a value assigned to the name in a text is secret. */
export function isSecretInText({ text, isParameter }: AssignedName, fieldName: FieldName): boolean {
  if (canBeSecret(fieldName)) return true
  if (fieldName.kind === 'excluded') return false
  return isLinkSignature({ text, isParameter }) || fieldName.context === 'cookie_header'
}

function isLinkSignature({ text, isParameter }: Pick<AssignedName, 'text' | 'isParameter'>): boolean {
  return isParameter && isSecretParameter(text)
}

function isCodeParameter({ text, isParameter }: AssignedName): boolean {
  return isParameter && text === 'code'
}

/** Longer URLs are searched within this distance of the code. */
const urlCharacters = 2_000
const urlEnd = /[\s"'`<>]/

/** The code of an OAuth callback: `?code=…&state=…`. */
function isCallbackCode(text: string, { start, end }: { start: number; end: number }): boolean {
  if (!isCodeOfOauth(withoutEscapes(text.slice(start, end)))) return false
  const before =
    text
      .slice(Math.max(0, start - urlCharacters), start)
      .split(urlEnd)
      .at(-1) ?? ''
  const [after = ''] = text.slice(end, end + urlCharacters).split(urlEnd, 1)
  return /[?&]state=/.test(before + after)
}

/** True for headers whose value contains spaces and continues to the end of the line. */
export function isHeaderName({ text }: AssignedName, { context }: FieldName): boolean {
  return context === 'cookie_header' || /authorization$/i.test(text)
}

/** False for a number under a name that is a count, and for a value against the condition of its name. */
export function holdsSecret(
  text: string,
  { start, end }: { start: number; end: number },
  fieldName: FieldName,
): boolean {
  if (fieldName.kind === 'counted') return !/^\d+$/.test(text.slice(start, end))
  return fieldName.kind !== 'conditional' || isSecretValue(fieldName, withoutEscapes(text.slice(start, end)))
}

/** Percent-decodes a name or a value: `contrase%C3%B1a`. */
function withoutEscapes(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
