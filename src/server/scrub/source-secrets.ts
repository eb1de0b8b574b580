import type { FindingList } from './finding-list.ts'
import { isBlank, isQuoteCode, mostBlanks, nameBefore, type AssignedName } from './names/assigned-name.ts'
import { valueAfter, type AssignedValue } from './names/assigned-value.ts'
import { holdsSecret, isHeaderName, isSecretInText, readTested } from './names/assignments.ts'
import {
  canBeSecret,
  isSecretName,
  isSecretValue,
  ruleOf,
  type FieldName,
  type ReadName,
} from './names/field-name.ts'
import type { Finding } from './scrub-rule.ts'
import { SignSearch, signAt } from './sign-search.ts'
import { isCodeInLiteral, isTemplate } from './values/literal-code.ts'
import { StringLiterals, type StringLiteral } from './values/string-literals.ts'
import { findSchemeCredentials } from './values/token-shapes.ts'

/** A shorter value in a source line is a flag, an option or an example. */
const shortestSecret = 4

/** Longer code in a literal is skipped as a whole: code of names would be scanned from each name. */
const longestCode = 256

/**
 * Finds values that a source line assigns to a secret name: a quoted word (`apiKey = 'abc123'`), and within
 * quotes the same as in any text (`throw new Error('password=hunter2')`). Unquoted code often names secrets
 * but contains none.
 */
export function findSourceAssignments(line: string, readName: ReadName, findings: FindingList): void {
  const signs = new SignSearch(line)
  let literals: StringLiterals | undefined
  const firstQuote = firstQuoteAt(line)
  for (let at = signs.next(0); at < line.length && !findings.isFull; at = signs.next(at + 1)) {
    if (!isQuoteAhead(line, at + 1) && (at < firstQuote || isCodeAhead(line, at + 1))) continue
    const target = findTarget(line, at, readName)
    if (target === undefined) continue
    literals ??= new StringLiterals(line)
    const literal = literals.around(at)
    const value = literal === undefined ? findLiteral(line, target) : findInLiteral(literal, target)
    if (value === undefined) continue
    const isCode = literal !== undefined && isCodeInLiteral(literal.lineToEnd, value, target)
    if (!isCode) findings.add(value.start, value.end, ruleOf(target.fieldName))
    if (!isCode || value.end - at > longestCode) at = value.end - 1
  }
}

function firstQuoteAt(line: string): number {
  let at = 0
  while (at < line.length && !isQuoteCode(line.charCodeAt(at))) at += 1
  return at
}

interface Target {
  /** The position of the sign. */
  at: number
  sign: string
  name: AssignedName
  fieldName: FieldName
}

function findTarget(line: string, at: number, readName: ReadName): Target | undefined {
  const name = nameBefore(line, at)
  if (name === undefined) return undefined
  const fieldName = readName(name.text)
  return isSecretInText(name, fieldName) ? { at, sign: signAt(line, at), name, fieldName } : undefined
}

/** In code, the characters after most assignments show that the value is not a literal. */
function isQuoteAhead(line: string, separatorEnd: number): boolean {
  let start = separatorEnd
  while (start < separatorEnd + mostBlanks && isBlankOrSign(line.charCodeAt(start))) start += 1
  for (let at = start; at < start + 6; at += 1) if (isQuoteCode(line.charCodeAt(at))) return true
  return false
}

/** A blank, or the rest of `=>`. */
function isBlankOrSign(code: number): boolean {
  return isBlank(code) || code === 0x3d || code === 0x3e
}

/** A bracket, a comparison or an arrow: text never continues like this, not even in quotes. */
function isCodeAhead(line: string, separatorEnd: number): boolean {
  const code = line.charCodeAt(separatorEnd)
  return isCodeSign(isBlank(code) ? line.charCodeAt(separatorEnd + 1) : code)
}

function isCodeSign(code: number): boolean {
  return code === 0x28 || code === 0x7b || code === 0x3d || code === 0x3e
}

function findLiteral(line: string, { at, sign, name, fieldName }: Target): AssignedValue | undefined {
  if (!canBeSecret(fieldName)) return undefined
  const value = valueAfter(line, at + sign.length, { name, sign, isHeader: false, isSourceCode: true })
  return value === undefined || !holdsSecret(line, value, fieldName) || !isSecretWord(line, value, name.text)
    ? undefined
    : value
}

function findInLiteral(
  { start, lineToEnd }: StringLiteral,
  { at, sign, name, fieldName }: Target,
): AssignedValue | undefined {
  // The name precedes the quote that opens the literal.
  if (at - start < name.text.length) return undefined
  const isHeader = isHeaderName(name, fieldName)
  return readTested(lineToEnd, {
    valueAt: at + sign.length,
    assignment: { name, sign, isHeader, isSourceCode: false },
    isBounded: fieldName.kind === 'conditional',
    isSecret: (value) => holdsSecret(lineToEnd, value, fieldName),
  })
}

/** A quoted word that can be a secret; a word equal to its variable's name is a field name. */
function isSecretWord(line: string, { start, end, isQuoted }: AssignedValue, name: string): boolean {
  if (!isQuoted || end - start < shortestSecret || isTemplate(line, start)) return false
  const value = line.slice(start, end)
  return !/\s/.test(value) && value.toLowerCase() !== name.toLowerCase()
}

/** Finds the second of two arguments if the first is a secret's name: `setExtra('password', 'hunter2')`. */
export function findSecretArguments(line: string, readName: ReadName, findings: FindingList): void {
  for (let at = line.indexOf(',', 1); at !== -1 && !findings.isFull; at = line.indexOf(',', at + 1)) {
    if (!isQuoteCode(line.charCodeAt(at - 1)) || !isLiteralNext(line, at + 1)) continue
    const argument = findSecretArgument(line, at, readName)
    if (argument === undefined) continue
    findings.add(argument.start, argument.end, argument.rule)
    at = argument.end
  }
}

/** True if a literal follows, directly or after a space. */
function isLiteralNext(line: string, commaEnd: number): boolean {
  return isQuoteCode(line.charCodeAt(commaEnd)) || isQuoteCode(line.charCodeAt(commaEnd + 1))
}

function findSecretArgument(line: string, comma: number, readName: ReadName): Finding | undefined {
  const name = nameBefore(line, comma)
  if (name === undefined) return undefined
  const fieldName = readName(name.text)
  const quoteAt = comma - name.text.length - 2
  // The name has to be the whole literal.
  if (!canBeSecret(fieldName) || line.charCodeAt(quoteAt) !== line.charCodeAt(comma - 1)) return undefined
  const value = valueAfter(line, comma + 1, { name, sign: ',', isHeader: false, isSourceCode: true })
  if (value === undefined || !isSecretWord(line, value, name.text)) return undefined
  const { start, end } = value
  if (!isSecretValue(fieldName, line.slice(start, end))) return undefined
  const isOneOfNames = isFieldName(line.slice(start, end), readName) && !isSettingCall(line, quoteAt)
  return isOneOfNames ? undefined : { start, end, rule: ruleOf(fieldName) }
}

/** In `pick(user, 'password', 'email')` both are names. */
function isFieldName(value: string, readName: ReadName): boolean {
  return /^[A-Za-z_.-]+$/.test(value) || (/^\w+$/.test(value) && isSecretName(readName(value)))
}

const settingCall = /(?:set|append|put|define|fill|header)[A-Za-z_]{0,32}\((?:[\w$.]{1,32}, ?)?$/i

function isSettingCall(line: string, quoteAt: number): boolean {
  return settingCall.test(line.slice(Math.max(0, quoteAt - 80), quoteAt))
}

/** Of a fixed length, so that the engine tests only every fifth character. */
const anyScheme = /[Bb][AEae][ASas][IRir][CEce]/

/** Finds `Bearer …` and `Basic …` within the quotes of a source line. */
export function findLiteralCredentials(line: string, findings: FindingList): void {
  if (!anyScheme.test(line)) return
  const literals = new StringLiterals(line)
  for (let literal = literals.next(); literal !== undefined; literal = literals.next()) {
    findSchemeCredentials(line, findings, literal)
  }
}
