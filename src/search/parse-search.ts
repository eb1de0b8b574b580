import { findSearchKey, searchKeys } from './search-keys.ts'
import { searchCharacters, searchedStatuses, searchedTexts } from './search-term.ts'
import type {
  ParsedSearch,
  SearchCondition,
  SearchTerm,
  SearchedAssignee,
  SearchedStatus,
  SearchedText,
  SearchedValue,
} from './search-term.ts'
import { tokenizeSearch } from './search-tokens.ts'
import type { SearchToken } from './search-tokens.ts'
import { readInstantRange, readNumberRange, readQuoted, readValues } from './search-values.ts'
import type { Read } from './search-values.ts'

/** Tokens of a search: each can be a look-up for each issue. */
const mostTerms = 20

/**
 * Reads a search of the issue stream: `is:unresolved browser.name:Firefox timesSeen:>100 "free text"`.
 *
 * Never throws: a token that makes no sense is a problem that says where it stands, what is wrong and what would be right,
 * and the others hold without it. docs/search.md has the language.
 */
export function parseSearch(text: string): ParsedSearch {
  const parsed: ParsedSearch = { terms: [], problems: [] }
  const kept = keptSearch(text)
  for (const [at, token] of tokenizeSearch(kept).entries()) {
    const { start, end, isNegated } = token
    const condition: Read<SearchCondition> =
      at < mostTerms
        ? readToken(token)
        : { ok: false, message: `A search has at most ${mostTerms} parts: this one is left out.` }
    if (condition.ok) parsed.terms.push({ start, end, isNegated, condition: condition.value })
    else parsed.problems.push({ start, end, message: condition.message })
  }
  const rest = text.slice(kept.length).trim()
  if (rest !== '') {
    const start = text.indexOf(rest, kept.length)
    const message = `A search has at most ${searchCharacters} characters, and this one has ${text.length.toLocaleString('en')}: what goes beyond is left out.`
    parsed.problems.push({ start, end: start + rest.length, message })
  }
  return parsed
}

/** As much of a search as counts: whole tokens, no more than `searchCharacters` of them. */
export function keptSearch(text: string): string {
  if (text.length <= searchCharacters) return text
  const cut = tokenizeSearch(text).find(({ end }) => end > searchCharacters)
  return text.slice(0, cut?.start).trimEnd()
}

const read = (value: SearchCondition): Read<SearchCondition> => ({ ok: true, value })
const refuse = (message: string): Read<never> => ({ ok: false, message })

function readToken(token: SearchToken): Read<SearchCondition> {
  if (token.key === undefined) return readText(token.value)
  const known = findSearchKey(token.key)
  // `TypeError: x is not a function`, pasted.
  if (token.value === '' && known === undefined) return readText(token.key)
  if (token.value === '') return refuse(`${known} needs a value right behind the colon${sampleOf(known)}.`)
  return known === undefined ? readTag(token.key, token.value) : readKnown(known, token.value)
}

function sampleOf(key: string | undefined): string {
  const known = searchKeys.find((each) => each.key === key)
  const sample = known?.sample ?? known?.values?.[0]
  return sample === undefined ? '' : `, such as ${key}:${sample}`
}

function readText(token: string, column?: SearchedText): Read<SearchCondition> {
  const isPhrase = token.startsWith('"')
  const text = isPhrase ? readQuoted(token) : token.replace(/\*+$/, '')
  if (text === undefined) return refuse('The quotes do not end: close them with ".')
  if (/^(?:AND|OR|NOT)$/.test(text) && !isPhrase) {
    return refuse(
      `${text} is no word of this language: parts are joined by "and", several values stand in a list (level:[error, fatal]), and ! turns a part around. Put it in quotes to look for the word.`,
    )
  }
  if (!/[\p{L}\p{N}]/u.test(text)) return refuse('There is no letter or digit in this to look for.')
  return read({ kind: 'text', text, isPhrase, ...(column !== undefined && { in: column }) })
}

function readKnown(key: string, value: string): Read<SearchCondition> {
  switch (key) {
    case 'timesSeen':
    case 'users': {
      const range = readNumberRange(key, value)
      return range.ok
        ? read({ kind: 'count', of: key === 'users' ? 'users' : 'events', ...range.value })
        : range
    }
    case 'firstSeen':
    case 'lastSeen': {
      const range = readInstantRange(key, value)
      return range.ok
        ? read({ kind: 'seen', which: key === 'firstSeen' ? 'first' : 'last', ...range.value })
        : range
    }
    case 'title':
    case 'value':
    case 'culprit':
    case 'message':
      return readText(
        value,
        searchedTexts.find((column) => column === key),
      )
    default: {
      const values = readValues(key, value)
      return values.ok ? readListed(key, values.value) : values
    }
  }
}

function readListed(key: string, values: SearchedValue[]): Read<SearchCondition> {
  switch (key) {
    case 'is':
      return readIs(values)
    case 'level':
      return readLevels(values)
    case 'assigned':
      return read({ kind: 'assignee', assignees: values.map(({ text }) => toAssignee(text)) })
    case 'project': {
      const wild = values.find(({ isPrefix }) => isPrefix)
      if (wild) return refuse('project takes whole short names: list them as project:[web, api].')
      return read({ kind: 'project', slugs: values.map(({ text }) => text.toLowerCase()) })
    }
    case 'has':
      return readHas(values)
    default:
      return readTag(key, values)
  }
}

function readHas([first, second]: SearchedValue[]): Read<SearchCondition> {
  if (first === undefined || second !== undefined || first.isPrefix || first.text === '')
    return refuse('has takes the name of one tag, such as has:browser.name.')
  return read({ kind: 'has', key: first.text })
}

/** What Sentry calls a status where it calls it something else. */
const sentryStatuses: Record<string, SearchedStatus> = { ignored: 'archived' }

function readIs(values: SearchedValue[]): Read<SearchCondition> {
  const statuses: SearchedStatus[] = []
  for (const { text } of values) {
    const status = searchedStatuses.find((each) => each === (sentryStatuses[text] ?? text.toLowerCase()))
    if (status !== undefined) statuses.push(status)
  }
  if (statuses.length === values.length) return read({ kind: 'status', statuses })
  const [only, second] = values
  if (only === undefined || second !== undefined)
    return refuse('Only statuses can be listed: is:[unresolved, resolved, archived].')
  switch (only.text.toLowerCase()) {
    case 'regressed':
      return read({ kind: 'regressed' })
    case 'new':
      return read({ kind: 'new' })
    case 'assigned':
      return read({ kind: 'assignee', assignees: [{ kind: 'anyone' }] })
    case 'unassigned':
      return read({ kind: 'assignee', assignees: [{ kind: 'none' }] })
    case 'for_me':
      return read({ kind: 'assignee', assignees: [{ kind: 'me' }] })
    case undefined:
    default:
      return refuse(
        `is knows ${listed(searchKeys.find(({ key }) => key === 'is')?.values ?? [])}, not "${shorten(only.text)}".`,
      )
  }
}

function readLevels(values: SearchedValue[]): Read<SearchCondition> {
  const known = new Set(searchKeys.find(({ key }) => key === 'level')?.values)
  const unknown = values.find(({ text, isPrefix }) => isPrefix || !known.has(text.toLowerCase()))
  if (unknown) return refuse(`level knows ${listed([...known])}, not "${shorten(unknown.text)}".`)
  return read({ kind: 'level', levels: values.map(({ text }) => text.toLowerCase()) })
}

function toAssignee(text: string): SearchedAssignee {
  const name = text.toLowerCase()
  if (name === 'me') return { kind: 'me' }
  if (name === 'none') return { kind: 'none' }
  return { kind: 'email', email: name }
}

function readTag(key: string, value: string | SearchedValue[]): Read<SearchCondition> {
  const values = typeof value === 'string' ? readValues(key, value) : ({ ok: true, value } as const)
  if (!values.ok) return values
  const tagKey = /^tags\[(.+)\]$/.exec(key)?.[1] ?? key
  if (values.value.some(({ text }) => text === '')) {
    return values.value.length === 1
      ? read({ kind: 'has', key: tagKey })
      : refuse(`${key} needs values between its commas.`)
  }
  return read({ kind: 'tag', key: tagKey, values: values.value })
}

function listed(values: readonly string[]): string {
  return `${values.slice(0, -1).join(', ')} and ${values.at(-1)}`
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text
}

/** The statuses that a search names itself, where it does: then no other choice of a status counts. */
export function findSearchedStatuses(terms: readonly SearchTerm[]): SearchedStatus[] | undefined {
  let found: readonly SearchedStatus[] | undefined
  for (const { condition, isNegated } of terms) {
    if (condition.kind !== 'status') continue
    const isMeant = (status: SearchedStatus) => condition.statuses.includes(status) !== isNegated
    found = (found ?? searchedStatuses).filter(isMeant)
  }
  return found === undefined ? undefined : [...found]
}

/** The search without the tokens that name a status. */
export function withoutStatuses(text: string): string {
  let rest = text
  for (const { condition, start, end } of parseSearch(text).terms.toReversed()) {
    if (condition.kind === 'status') rest = `${rest.slice(0, start)}${rest.slice(end).trimStart()}`
  }
  return rest.trim()
}
