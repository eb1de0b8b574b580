import { findShortId } from './direct-target.ts'
import { anyOf, negated } from './expression.ts'
import { readChoices, shorten, textOf } from './read-choice.ts'
import { readIs } from './read-is.ts'
import { readReleasePart } from './read-release.ts'
import { findUnsupportedReason } from './sentry-words.ts'
import { parseFlagKey, parseTagKey } from './tag-key.ts'
import { searchedTexts } from './term.ts'
import type {
  SearchCondition,
  SearchExpression,
  SearchedAssignee,
  SearchedIssue,
  SearchedText,
} from './term.ts'
import { anyValue, exactly, formOf, type ValuePattern } from './value-pattern.ts'
import {
  read,
  readFlag,
  readInstantRange,
  readNumberRange,
  readPattern,
  readQuoted,
  readValues,
  invalid,
} from './values.ts'
import type { Read } from './values.ts'
import type { SearchWord } from './word.ts'
import { findSearchWord } from './words.ts'

const term = (condition: SearchCondition): SearchExpression => ({ kind: 'term', condition })

/** Reads a word with its value, or a tag with its value: `level:error`. */
export function readWord(key: string, value: string): Read<SearchExpression> {
  const tagKey = parseTagKey(key)
  if (tagKey !== undefined) return readTag({ key: tagKey, name: key }, value)
  const flag = parseFlagKey(key)
  if (flag !== undefined) return readFeatureFlag(flag, key, value)
  const known = findSearchWord(key)
  if (known !== undefined) return readKnown(key, known, value)
  const unsupported = findUnsupportedReason(key)
  if (unsupported === undefined) return readTag({ key, name: key }, value)
  return invalid(
    `Culvert ${unsupported}. "${key}" finds nothing; for a tag with this name, write tags[${key}]:${value}.`,
  )
}

function readKnown(
  name: string,
  { word, source, values = [] }: SearchWord,
  text: string,
): Read<SearchExpression> {
  switch (source.from) {
    case 'text':
      return readText(text, source.in)
    case 'count':
      return asTerm(readNumberRange(name, text), (range) => ({ kind: 'count', of: source.of, ...range }))
    case 'seen':
      return asTerm(readInstantRange(name, text), (range) => ({
        kind: 'seen',
        which: source.which,
        ...range,
      }))
    case 'happened':
      return asTerm(readInstantRange(name, text), (range) => ({ kind: 'happened', ...range }))
    case 'handled':
      return readHandled(name, text, source.value)
    case 'release':
      return readReleasePart(name, text, source.part)
    case 'has':
      return readHas(text)
    case 'tag':
      return readTag({ key: source.key ?? word, name, ...(source.holds && { holds: source.holds }) }, text)
    case 'trait':
      return readTrait(word, name, text)
    case 'field':
      return asTerm(readValues(name, text), (found) => ({
        kind: 'field',
        field: source.field,
        values: found,
      }))
    case 'project':
      return readProjects(name, text, source.by)
    case 'event':
      return asTerm(readWhole(name, text, toEventId), (ids) => ({ kind: 'event', by: source.by, ids }))
    case 'issue':
      return asTerm(readWhole(name, text, toIssue), (issues) => ({ kind: 'issue', issues }))
    case 'assignee':
      return readAssignees(name, text)
    case 'is':
      return readIs(name, text, values)
    case 'level':
      return asTerm(readChoices(name, text, { known: values }), (levels) => ({ kind: 'level', levels }))
    case 'type':
      return asTerm(readChoices(name, text, { known: values }), (types) => ({ kind: 'type', types }))
    case 'priority':
      return asTerm(readChoices(name, text, { known: values }), (found) => ({
        kind: 'level',
        levels: found.flatMap((priority) => levelsOfPriority[priority] ?? []),
      }))
    case 'category':
      break
  }
  const categories = readChoices(name, text, { known: values })
  if (!categories.ok) return categories
  const found = categories.value.map((category) => {
    const type = typesOfCategories[category]
    return type === undefined
      ? negated(term({ kind: 'type', types: Object.values(typesOfCategories) }))
      : term({ kind: 'type', types: [type] })
  })
  return read(anyOf(found))
}

/** The event types of Sentry's issue categories other than errors. */
const typesOfCategories: Record<string, string> = {
  feedback: 'feedback',
  cron: 'monitor',
  uptime: 'uptime',
  performance: 'performance',
}

/** Sentry's rule for an issue without a priority set by a user or a model. */
const levelsOfPriority: Record<string, string[]> = {
  high: ['fatal', 'error'],
  medium: ['warning'],
  low: ['info', 'debug'],
}

function asTerm<T>(found: Read<T>, toCondition: (value: T) => SearchCondition): Read<SearchExpression> {
  return found.ok ? read(term(toCondition(found.value))) : found
}

/** Parses plain text or a text pattern. */
export function readText(
  token: string,
  columns: readonly SearchedText[] = searchedTexts,
): Read<SearchExpression> {
  const isPhrase = token.startsWith('"')
  const quoted = isPhrase ? readQuoted(token) : undefined
  if (isPhrase && quoted === undefined) return invalid('Missing closing quote.')
  const pattern = quoted === undefined ? readPattern('A text', token) : read(exactly(quoted))
  if (!pattern.ok) return pattern
  if (!/[\p{L}\p{N}]/u.test(pattern.value.pieces.join('')))
    return invalid('This contains no letter or digit to search for.')
  if (token === 'NOT') return invalid('NOT is not an operator: write ! before a term, or quote the word.')
  return read(term({ kind: 'text', in: columns, value: withoutLastStar(pattern.value), isPhrase }))
}

/** Words match by prefix, so `alph*` is `alph`. */
function withoutLastStar(value: ValuePattern): ValuePattern {
  const form = formOf(value)
  return form.kind === 'prefix' ? exactly(form.text) : value
}

interface TagName {
  key: string
  /** As written in the search. */
  name: string
  holds?: 'version'
}

function readTag({ key, name, holds }: TagName, text: string): Read<SearchExpression> {
  const found = readValues(name, text)
  if (!found.ok) return found
  const toTags = (values: readonly ValuePattern[]) => term({ kind: 'tag', key, values })
  return orAbsent(name, found.value, (values) =>
    toTags(holds === undefined ? values : values.map(behindBlank)),
  )
}

/** `Firefox 143.0` has the version 143.0. */
function behindBlank(value: ValuePattern): ValuePattern {
  const [first = '', ...rest] = value.pieces
  return formOf(value).kind === 'any' ? value : { pieces: ['', ` ${first}`, ...rest] }
}

function readTrait(word: string, name: string, text: string): Read<SearchExpression> {
  const found = readValues(name, text)
  return found.ok ? orAbsent(name, found.value, (values) => toTrait(word, values)) : found
}

/** Reads `flags["new-checkout"]:true`: a value of the trait is the flag with its result. */
function readFeatureFlag(flag: string, name: string, text: string): Read<SearchExpression> {
  const found = readValues(name, text)
  const toFlags = (values: readonly ValuePattern[]) =>
    term({
      kind: 'trait',
      key: 'flags',
      values: values.map(({ pieces: [first = '', ...rest] }) => ({ pieces: [`${flag}:${first}`, ...rest] })),
    })
  return found.ok ? orAbsent(name, found.value, toFlags) : found
}

/** Some SDKs and applications send a property of the event as a tag of the same name. */
function toTrait(word: string, values: readonly ValuePattern[]): SearchExpression {
  return anyOf([term({ kind: 'trait', key: word, values }), term({ kind: 'tag', key: word, values })])
}

/** An empty value means that the tag is absent: `region:""`. */
function orAbsent(
  name: string,
  values: readonly ValuePattern[],
  toExpression: (values: readonly ValuePattern[]) => SearchExpression,
): Read<SearchExpression> {
  if (!values.some(isEmpty)) return read(toExpression(values))
  if (values.length > 1) return invalid(`${name} needs values between its commas.`)
  return read(negated(toExpression([anyValue])))
}

function isEmpty({ pieces }: ValuePattern): boolean {
  return pieces.length === 1 && pieces[0] === ''
}

/**
 * `error.unhandled:true` and `error.handled:false` are the same; `error.unhandled:false` is an issue without
 * any such event.
 */
function readHandled(name: string, text: string, value: 'yes' | 'no'): Read<SearchExpression> {
  const flag = readFlag(name, text)
  if (!flag.ok) return flag
  const unhandled = term({ kind: 'tag', key: 'handled', values: [exactly('no')] })
  if (value === 'no') return read(flag.value ? unhandled : negated(unhandled))
  return read(flag.value ? term({ kind: 'tag', key: 'handled', values: [exactly('yes')] }) : unhandled)
}

function readHas(text: string): Read<SearchExpression> {
  const found = readValues('has', text)
  if (!found.ok) return found
  const [only, second] = found.value
  const form = only && formOf(only)
  if (form?.kind !== 'exact' || form.text === '' || second !== undefined)
    return invalid('"has" needs the name of a tag, e.g. has:browser.name.')
  const flag = parseFlagKey(form.text)
  if (flag !== undefined) return readFeatureFlag(flag, form.text, '*')
  const key = parseTagKey(form.text)
  if (key !== undefined) return read(term({ kind: 'tag', key, values: [anyValue] }))
  return readHasWord(form.text)
}

function readHasWord(name: string): Read<SearchExpression> {
  const known = findSearchWord(name)
  // Sentry's name for an issue with an assignee.
  if (known?.source.from === 'assignee' || name.toLowerCase() === 'assignee')
    return read(term({ kind: 'assignee', assignees: [{ kind: 'anyone' }] }))
  const unsupported = known === undefined ? findUnsupportedReason(name) : undefined
  if (unsupported !== undefined) return invalid(`Culvert ${unsupported}. "has:${name}" finds nothing.`)
  if (known?.source.from === 'event' && known.source.by === 'trace')
    return invalid(`Culvert cannot search for issues with any ${name}: enter a complete ID${sampleOf(name)}.`)
  const expression = known === undefined ? toTag(name) : anyOfWord(known)
  return expression === undefined
    ? invalid(`Every issue has ${name}: "has" needs the name of a tag, such as has:browser.name.`)
    : read(expression)
}

function toTag(key: string): SearchExpression {
  return term({ kind: 'tag', key, values: [anyValue] })
}

/** Matches any value of a word; undefined if every issue has one. */
function anyOfWord({ word, source }: SearchWord): SearchExpression | undefined {
  if (source.from === 'tag') return toTag(source.key ?? word)
  if (source.from === 'release') return toTag('release')
  if (source.from === 'handled') return toTag('handled')
  if (source.from === 'trait') return toTrait(word, [anyValue])
  return source.from === 'field'
    ? term({ kind: 'field', field: source.field, values: [anyValue] })
    : undefined
}

function readProjects(name: string, text: string, by: 'id' | 'slug'): Read<SearchExpression> {
  const toCondition = (values: readonly ValuePattern[]): SearchCondition => ({ kind: 'project', by, values })
  return asTerm(readValues(name, by === 'slug' ? text.toLowerCase() : text), toCondition)
}

/** Converts values without wildcards. */
function readWhole<T>(name: string, text: string, toValue: (text: string) => T | undefined): Read<T[]> {
  const found = readValues(name, text)
  if (!found.ok) return found
  const values: T[] = []
  for (const pattern of found.value) {
    const form = formOf(pattern)
    const value = form.kind === 'exact' ? toValue(form.text) : undefined
    if (value === undefined)
      return invalid(`${name} needs a complete ID${sampleOf(name)}, not "${shorten(textOf(pattern))}".`)
    values.push(value)
  }
  return read(values)
}

function toEventId(text: string): string | undefined {
  const hex = text.replaceAll('-', '').toLowerCase()
  return /^[0-9a-f]{32}$/.test(hex) ? hex : undefined
}

function toIssue(text: string): SearchedIssue | undefined {
  if (/^\d{1,16}$/.test(text)) return Number.isSafeInteger(Number(text)) ? { id: Number(text) } : undefined
  const shortId = findShortId(text)
  return shortId && { slug: shortId.slug, number: shortId.number }
}

function readAssignees(name: string, text: string): Read<SearchExpression> {
  const found = readValues(name, text)
  if (!found.ok) return found
  const assignees: SearchedAssignee[] = []
  for (const pattern of found.value) {
    const form = formOf(pattern)
    if (form.kind !== 'exact') return invalid(`${name} needs full names or email addresses, me or none.`)
    const person = form.text.toLowerCase()
    if (person.startsWith('#') || person.startsWith('team:'))
      return invalid(`Culvert has no teams: ${name} needs a name or an email address, me or none.`)
    // There are no teams, so `my_teams` matches no issue.
    if (person !== 'my_teams') assignees.push(toAssignee(form.text))
  }
  return read(term({ kind: 'assignee', assignees }))
}

function toAssignee(text: string): SearchedAssignee {
  const person = text.toLowerCase()
  if (person === 'me') return { kind: 'me' }
  if (person === 'none') return { kind: 'none' }
  return person.includes('@') ? { kind: 'email', email: person } : { kind: 'name', name: text }
}

function sampleOf(name: string): string {
  const known = findSearchWord(name)
  const sample = known?.sample ?? known?.values?.[0]
  return sample === undefined ? '' : `, such as ${name}:${sample}`
}

/** The message for a word without a value. */
export function describeMissingValue(name: string): string {
  return `${name} needs a value directly after the colon${sampleOf(name)}.`
}
