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

/** Also percent-encoded, in a URL within a URL. */
const separator = /[=:]|%3[DA]/gi

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
  let doneAt = 0
  findings.search(text, separator, ({ 0: sign, index }) => {
    if (index < doneAt || (isSourceCode && !isQuoteAhead(text, index + 1))) return
    const name = nameBefore(text, index)
    if (name === undefined) return
    const fieldName = readName(name.text)
    if (!isSecretHere(name, fieldName, isSourceCode)) return
    const isHeader = fieldName.place === 'cookie_header' || /authorization$/i.test(name.text)
    const value = valueAfter(text, index + sign.length, { name, sign, isHeader, isSourceCode })
    if (value === undefined) return
    if (isSourceCode && !isLiteral(text, value, name.text)) return
    if (fieldName.kind === 'counted' && /^\d+$/.test(text.slice(value.start, value.end))) return
    doneAt = value.end
    findings.add(value.start, value.end, ruleOf(fieldName))
  })
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
