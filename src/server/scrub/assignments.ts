import { isQuoteCode, nameBefore, type AssignedName } from './assigned-name.ts'
import { valueAfter } from './assigned-value.ts'
import { isSecretName, isSecretParameter, ruleOf, type FieldName, type ReadName } from './field-name.ts'
import type { FindingList } from './finding-list.ts'

/** How a text is read. */
export interface AssignmentReading {
  readName: ReadName
  /** Source code names secrets all over the place; there only a quoted word is one. */
  isSourceCode: boolean
}

/**
 * Finds what is assigned to a secret name within a text: `password=…`, `"token": "…"`, `?api_key=…`, `Authorization: …`,
 * and the same in escaped JSON and in URLs within URLs. Of prose only what does not read like it: "invalid token:
 * unexpected end" has no token in it.
 */
export function findAssignments(
  text: string,
  { readName, isSourceCode }: AssignmentReading,
  findings: FindingList,
): void {
  const signs = new SignSearch(text)
  for (let at = signs.next(0); at < text.length && !findings.isFull; at = signs.next(at + 1)) {
    if (isSourceCode && !isQuoteAhead(text, at + 1)) continue
    const sign = text.charCodeAt(at) === percent ? text.slice(at, at + 3) : text.charAt(at)
    const value = findSecretValue(text, { at, sign, readName, isSourceCode })
    if (value === undefined) continue
    findings.add(value.start, value.end, value.rule)
    at = value.end - 1
  }
}

const percent = 0x25

/** Finds `=` and `:`, also percent-encoded as in a URL within a URL, each by the engine's own search for a character. */
class SignSearch {
  private readonly text: string
  private equals = -1
  private colon = -1
  private encoded = -1

  constructor(text: string) {
    this.text = text
  }

  /** Where the next one stands; the text's length when there is none. Ask for later and later ones only. */
  next(from: number): number {
    if (this.equals < from) this.equals = indexOrEnd(this.text, '=', from)
    if (this.colon < from) this.colon = indexOrEnd(this.text, ':', from)
    if (this.encoded < from) this.encoded = encodedSignFrom(this.text, from)
    return Math.min(this.equals, this.colon, this.encoded)
  }
}

function indexOrEnd(text: string, character: string, from: number): number {
  const index = text.indexOf(character, from)
  return index === -1 ? text.length : index
}

function encodedSignFrom(text: string, from: number): number {
  let at = text.indexOf('%3', from)
  while (at !== -1 && !/[DA]/i.test(text.charAt(at + 2))) at = text.indexOf('%3', at + 1)
  return at === -1 ? text.length : at
}

interface Separator extends AssignmentReading {
  at: number
  sign: string
}

function findSecretValue(
  text: string,
  { at, sign, readName, isSourceCode }: Separator,
): { start: number; end: number; rule: 'fields' | 'password' } | undefined {
  const name = nameBefore(text, at)
  if (name === undefined) return undefined
  const fieldName = readName(name.text)
  if (!isSecretHere(name, fieldName, isSourceCode)) return undefined
  const isHeader = fieldName.place === 'cookie_header' || /authorization$/i.test(name.text)
  const value = valueAfter(text, at + sign.length, { name, sign, isHeader, isSourceCode })
  if (value === undefined || (isSourceCode && !isLiteral(text, value, name.text))) return undefined
  const { start, end } = value
  const isCount = fieldName.kind === 'counted' && /^\d+$/.test(text.slice(start, end))
  return isCount ? undefined : { start, end, rule: ruleOf(fieldName) }
}

/** In source code only a quoted value counts: nearly every assignment can be told to be none by its next characters. */
function isQuoteAhead(text: string, separatorEnd: number): boolean {
  for (let at = separatorEnd; at < separatorEnd + 6; at += 1)
    if (isQuoteCode(text.charCodeAt(at))) return true
  return false
}

function isSecretHere(
  { text, isParameter }: AssignedName,
  fieldName: FieldName,
  isSourceCode: boolean,
): boolean {
  if (isSecretName(fieldName)) return true
  if (fieldName.kind === 'excluded') return false
  if (isParameter && isSecretParameter(text)) return true
  return fieldName.place === 'cookie_header' && !isSourceCode
}

/** A quoted word; what is called like its variable is the name of a field rather than a secret. */
function isLiteral(
  text: string,
  { start, end, isQuoted }: { start: number; end: number; isQuoted: boolean },
  name: string,
): boolean {
  if (!isQuoted || end - start < 4) return false
  const value = text.slice(start, end)
  return !/\s/.test(value) && value.toLowerCase() !== name.toLowerCase()
}
