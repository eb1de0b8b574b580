import type { FindingList } from '#server/scrub/finding-list.ts'
import type { Finding } from '#server/scrub/scrub-rule.ts'
import { SignSearch, signAt } from '#server/scrub/sign-search.ts'
import { nameBefore, type AssignedName } from './assigned-name.ts'
import { valueAfter } from './assigned-value.ts'
import {
  canBeSecret,
  isSecretParameter,
  isSecretValue,
  ruleOf,
  type FieldName,
  type ReadName,
} from './field-name.ts'

/**
 * Finds what is assigned to a secret name within a text: `password=…`, `"token": "…"`, `?api_key=…`,
 * `Authorization: …`, and the same in escaped JSON and in URLs within URLs. Of prose only what does not read
 * like it: "invalid token: unexpected end" has no token in it.
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
  if (!isSecretInText(name, fieldName)) return undefined
  const sign = signAt(text, at)
  const value = valueAfter(text, at + sign.length, {
    name,
    sign,
    isHeader: isHeaderName(name, fieldName),
    isSourceCode: false,
  })
  if (value === undefined || !(isLinkSignature(name) || holdsSecret(text, value, fieldName))) return undefined
  return { start: value.start, end: value.end, rule: ruleOf(fieldName) }
}

/** True when what a text assigns to the name is secret. */
export function isSecretInText({ text, isParameter }: AssignedName, fieldName: FieldName): boolean {
  if (canBeSecret(fieldName)) return true
  if (fieldName.kind === 'excluded') return false
  return isLinkSignature({ text, isParameter }) || fieldName.place === 'cookie_header'
}

function isLinkSignature({ text, isParameter }: Pick<AssignedName, 'text' | 'isParameter'>): boolean {
  return isParameter && isSecretParameter(text)
}

/** True for the headers whose value contains blanks and continues to the end of the line. */
export function isHeaderName({ text }: AssignedName, { place }: FieldName): boolean {
  return place === 'cookie_header' || /authorization$/i.test(text)
}

/**
 * False for a number under a name that counts something, and for a value that its name's condition does not
 * take.
 */
export function holdsSecret(
  text: string,
  { start, end }: { start: number; end: number },
  fieldName: FieldName,
): boolean {
  if (fieldName.kind === 'counted') return !/^\d+$/.test(text.slice(start, end))
  return fieldName.kind !== 'conditional' || isSecretValue(fieldName, withoutEscapes(text.slice(start, end)))
}

/** A name or a value without its percent-encoding: `contrase%C3%B1a`. */
function withoutEscapes(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
