import { FindingList } from './finding-list.ts'
import { findAssignments } from './names/assignments.ts'
import { findCommandSecrets } from './names/command-secrets.ts'
import { foldText } from './names/folded-text.ts'
import { findSecretElements, findSecretFormFields, findSecretOptions } from './names/named-values.ts'
import { findSqlValues } from './names/sql-values.ts'
import type { ScrubPlan } from './scrub-plan.ts'
import { scrubRules, type Finding } from './scrub-rule.ts'
import { findLiteralCredentials, findSecretArguments, findSourceAssignments } from './source-secrets.ts'
import { findTextFeatures, textFeatures } from './text-features.ts'
import { base64Values, hasBase64 } from './values/base64-values.ts'
import { findCardNumbers } from './values/card-number.ts'
import { encodedValues, type EncodedValue } from './values/encoded-values.ts'
import { findIbans } from './values/iban.ts'
import { findIpAddresses } from './values/ip-address.ts'
import { findOptionalShapes, findSocialSecurityNumbers } from './values/number-shapes.ts'
import { findPemKeys } from './values/pem-key.ts'
import { findSchemeCredentials, findTokens } from './values/token-shapes.ts'
import { findUrlPasswords } from './values/url-password.ts'
import { findUserPaths } from './values/user-path.ts'

/**
 * The kind of a text: `text` for people; `route` with paths that are not files; `source` code; the `location`
 * of code, in which only the parameters of a URL can be secret.
 */
export type TextKind = 'text' | 'route' | 'source' | 'location'

/** A remark of `_meta`: rule, `s` for replaced or `x` for removed, and the range in UTF-16 units. */
export type Remark =
  | [rule: string, type: 's' | 'x', start: number, end: number]
  | [rule: string, type: 's' | 'x']

/** A text whose secrets are replaced by marks. */
export interface ScrubbedText {
  text: string
  /** One remark per mark, in order. */
  remarks: Remark[]
}

/** The settings of a search in texts. */
export interface TextSearch {
  readonly plan: ScrubPlan
  /** The number of secrets at which the search ends; evaluated only if there may be any. */
  readonly limit: number
}

/**
 * Finds the secrets in a text, in any order, possibly overlapping. Takes time linear in the text's length. If
 * there are `limit` of them, the whole text is one finding.
 */
export function findSecrets(sentText: string, kind: TextKind, search: TextSearch): readonly Finding[] {
  const { plan } = search
  if (kind === 'location' && !sentText.includes('?') && !sentText.includes('@')) return none
  const sentFeatures = kind === 'location' ? 0 : findTextFeatures(sentText)
  const text = (sentFeatures & textFeatures.wide) === 0 ? sentText : foldText(sentText)
  const features = text === sentText ? sentFeatures & ~textFeatures.wide : findTextFeatures(text)
  if (features === 0 && kind !== 'location' && !plan.hasOptionalRules) return none
  const findings = new FindingList(search.limit)
  if (kind === 'location') findInUrl(text, plan, findings)
  else findByFeatures(text, features, { kind, plan, findings })
  if (kind === 'location' || (features & textFeatures.assignment) !== 0)
    findInEncodedValues(text, { kind, plan, findings })
  if ((features & textFeatures.longWord) !== 0 && hasBase64(text))
    findInDecoded(base64Values(text), { kind, plan, findings })
  const [first] = findings.found
  return first !== undefined && findings.isFull ? [{ ...first, start: 0, end: text.length }] : findings.found
}

const none: readonly Finding[] = []

interface Search {
  kind: TextKind
  plan: ScrubPlan
  findings: FindingList
}

function findByFeatures(text: string, features: number, search: Search): void {
  const { kind, plan, findings } = search
  if (plan.hasOptionalRules && text.length > 1) {
    findOptionalShapes(text, plan.rules, findings)
    if (plan.rules.has('ip')) findIpAddresses(text, findings)
  }
  if (features === 0) return
  if (kind === 'source') findInLiterals(text, features, search)
  else findNamed(text, features, search)
  findShaped(text, features, search)
}

function findInUrl(text: string, { rules, readName }: ScrubPlan, findings: FindingList): void {
  if (rules.has('urlauth')) findUrlPasswords(text, findings)
  const isQuery = text.includes('?')
  if (isQuery && hasNames(rules)) findAssignments(text, readName, findings)
  if (isQuery && rules.has('token')) findTokens(text, findings)
}

/** Encoded values are replaced as a whole, unless a part was found without decoding. */
function findInEncodedValues(text: string, { kind, plan, findings }: Search): void {
  if (kind !== 'source') findInDecoded(encodedValues(text), { kind, plan, findings })
}

function findInDecoded(values: Iterable<EncodedValue>, { kind, plan, findings }: Search): void {
  for (const { start, end, decoded } of values) {
    if (findings.isFull) return
    const hidden = new FindingList(1)
    const search = { kind: kind === 'location' ? 'route' : kind, plan, findings: hidden } as const
    findByFeatures(decoded, findTextFeatures(decoded), search)
    const [secret] = hidden.found
    if (secret === undefined) continue
    const isKnown = findings.found.some((known) => known.start < end && known.end > start)
    if (!isKnown) findings.add(start, end, secret.rule)
  }
}

function findNamed(text: string, features: number, { plan, findings }: Search): void {
  const { rules, readName } = plan
  if (!hasNames(rules)) return
  const isAssigned = (features & textFeatures.assignment) !== 0
  if (isAssigned) findAssignments(text, readName, findings)
  if (isAssigned && (features & textFeatures.quote) !== 0) findSecretFormFields(text, readName, findings)
  if ((features & textFeatures.option) !== 0) findSecretOptions(text, readName, findings)
  if ((features & textFeatures.shortOption) !== 0) findCommandSecrets(text, readName, findings)
  if ((features & textFeatures.element) !== 0) findSecretElements(text, readName, findings)
  if ((features & textFeatures.quote) !== 0) findSqlValues(text, readName, findings)
}

/** In source code only quoted text can be secret, and most lines have neither quotes nor such a name. */
function findInLiterals(text: string, features: number, { plan, findings }: Search): void {
  if ((features & textFeatures.quote) === 0) return
  const { rules, readName } = plan
  if (hasNames(rules)) {
    if ((features & textFeatures.assignment) !== 0) findSourceAssignments(text, readName, findings)
    if ((features & textFeatures.listOfQuotes) !== 0) findSecretArguments(text, readName, findings)
  }
  if ((features & textFeatures.scheme) !== 0 && rules.has('token')) findLiteralCredentials(text, findings)
}

function findShaped(text: string, features: number, { kind, plan, findings }: Search): void {
  const { rules } = plan
  if ((features & textFeatures.at) !== 0 && rules.has('urlauth')) findUrlPasswords(text, findings)
  if ((features & textFeatures.longWord) !== 0 && rules.has('token')) findTokens(text, findings)
  if ((features & textFeatures.dashes) !== 0 && rules.has('pemkey')) findPemKeys(text, findings)
  if ((features & textFeatures.capitalsAndDigits) !== 0 && rules.has('iban')) findIbans(text, findings)
  if ((features & textFeatures.manyDigits) !== 0 && rules.has('creditcard')) findCardNumbers(text, findings)
  if ((features & textFeatures.dashedDigits) !== 0 && rules.has('usssn'))
    findSocialSecurityNumbers(text, findings)
  if (kind === 'source') return
  if ((features & textFeatures.scheme) !== 0 && rules.has('token')) findSchemeCredentials(text, findings)
  if ((features & textFeatures.home) !== 0 && rules.has('userpath'))
    findUserPaths(text, kind === 'route', findings)
}

function hasNames(rules: ScrubPlan['rules']): boolean {
  return rules.has('password') || rules.has('fields')
}

/** Maximum number of searches of a text: the text next to a removed secret may be a secret, too. */
const searches = 4

/** Replaces the findings by marks, then those of `findMore` in the marked text. */
export function replaceSecrets(
  text: string,
  findings: readonly Finding[],
  findMore: (text: string) => readonly Finding[],
): ScrubbedText {
  let marked = putMarks(text, findings)
  for (let search = 1; search < searches; search += 1) {
    const more = findMore(marked.text)
    if (more.length === 0) break
    marked = putMarks(marked.text, [...marked.marks, ...more])
  }
  return {
    text: marked.text,
    remarks: marked.marks.map(({ start, end, rule }) => [scrubRules[rule].remark, 's', start, end]),
  }
}

/**
 * Merges overlapping findings under the rule that begins first. `marks` are the positions of the marks in the
 * result.
 */
function putMarks(text: string, findings: readonly Finding[]): { text: string; marks: Finding[] } {
  const marks: Finding[] = []
  let clean = ''
  let copiedTo = 0
  for (const { start, end, rule } of mergeFindings(findings)) {
    clean += text.slice(copiedTo, start)
    marks.push({ start: clean.length, end: clean.length + scrubRules[rule].mark.length, rule })
    clean += scrubRules[rule].mark
    copiedTo = end
  }
  return { text: clean + text.slice(copiedTo), marks }
}

function mergeFindings(findings: readonly Finding[]): Finding[] {
  const merged: Finding[] = []
  for (const finding of findings.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
    const last = merged.at(-1)
    if (last === undefined || finding.start >= last.end) merged.push({ ...finding })
    else last.end = Math.max(last.end, finding.end)
  }
  return merged
}
