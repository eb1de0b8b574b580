import type { Breadcrumb, Event } from '#protocol/event.ts'
import { isJsonObject } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'

/** How Next.js prints an error on its console: `{ digest: '1135396951' }`. */
const printedDigest = /\bdigest["']?\s*[:=]\s*["']?([\w@.-]{4,64})/g

/** A digest is one word: for redirects and not-found errors, the field contains sentences with semicolons. */
const digestWord = /^[\w@.-]{4,64}$/

/** SDKs truncate long texts, at different lengths. */
const comparedCharacters = 100

/**
 * The digests that another framework assigned to the error, verbatim: in tags, contexts, extra, the
 * exceptions' mechanism data, and in console output. At most `limits.foreignDigestsPerEvent`. Never throws.
 */
export function findForeignDigests(event: Event): string[] {
  const found = new Set<string>()
  for (const [key, value] of event.tags) if (key.toLowerCase() === 'digest') addWord(found, value)
  addOf(found, event.extra)
  for (const value of Object.values(event.extra)) addOf(found, value)
  for (const context of Object.values(event.contexts)) addOf(found, context)
  for (const { mechanism } of event.exceptions) addOf(found, mechanism?.data)
  addPrinted(found, event)
  return [...found].slice(0, limits.foreignDigestsPerEvent)
}

/**
 * Adds the digests of console breadcrumbs that print an exception of the event. `@sentry/nextjs` 9 has one
 * list of breadcrumbs for all requests, so a breadcrumb without the exception's message belongs to another
 * error.
 */
function addPrinted(found: Set<string>, { breadcrumbs, exceptions }: Event): void {
  const values = exceptions.flatMap(({ value }) => (value ? [startOf(value)] : []))
  if (values.length === 0) return
  for (const breadcrumb of breadcrumbs) {
    if (breadcrumb.category !== 'console') continue
    addPrintedText(found, breadcrumb, values)
    addPrintedErrors(found, breadcrumb, values)
  }
}

function addPrintedText(found: Set<string>, { message }: Breadcrumb, values: string[]): void {
  if (!message?.includes('digest') || !values.some((value) => message.includes(value))) return
  for (const [, digest] of message.matchAll(printedDigest)) addWord(found, digest)
}

/**
 * `console.error('⨯', error)` as recorded by SDKs of version 9 and later: `{ arguments: ['⨯', { message,
 * stack, digest }] }`.
 */
function addPrintedErrors(found: Set<string>, { data }: Breadcrumb, values: string[]): void {
  const printed = data?.['arguments']
  if (!Array.isArray(printed)) return
  for (const argument of printed) {
    if (!isJsonObject(argument)) continue
    const { message } = argument
    if (typeof message === 'string' && values.includes(startOf(message))) addOf(found, argument)
  }
}

function startOf(text: string): string {
  return text.slice(0, comparedCharacters)
}

function addOf(found: Set<string>, value: unknown): void {
  if (isJsonObject(value)) addWord(found, value['digest'])
}

function addWord(found: Set<string>, value: unknown): void {
  const word = typeof value === 'number' ? String(value) : value
  if (typeof word === 'string' && digestWord.test(word)) found.add(word)
}
