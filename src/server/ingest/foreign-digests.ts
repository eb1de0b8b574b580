import type { Event } from '#protocol/event.ts'
import { isJsonObject } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'

/** How Next.js prints an error on its console: `{ digest: '1135396951' }`. */
const printedDigest = /\bdigest["']?\s*[:=]\s*["']?([\w@.-]{4,64})/g

/** A digest is a word: redirects and not-founds carry sentences with semicolons there. */
const digestWord = /^[\w@.-]{4,64}$/

/**
 * The digests that another framework gave the error, as they stand: in tags, contexts, extra, the exceptions'
 * mechanism data, and in what was printed to the console. At most `limits.foreignDigestsPerEvent`. Never throws.
 */
export function findForeignDigests(event: Event): string[] {
  const found = new Set<string>()
  for (const [key, value] of event.tags) if (key.toLowerCase() === 'digest') addWord(found, value)
  addOf(found, event.extra)
  for (const value of Object.values(event.extra)) addOf(found, value)
  for (const context of Object.values(event.contexts)) addOf(found, context)
  for (const { mechanism } of event.exceptions) addOf(found, mechanism?.data)
  for (const { category, message } of event.breadcrumbs) {
    if (category !== 'console' || message === undefined) continue
    for (const [, digest] of message.matchAll(printedDigest)) addWord(found, digest)
  }
  return [...found].slice(0, limits.foreignDigestsPerEvent)
}

function addOf(found: Set<string>, value: unknown): void {
  if (isJsonObject(value)) addWord(found, value['digest'])
}

function addWord(found: Set<string>, value: unknown): void {
  const word = typeof value === 'number' ? String(value) : value
  if (typeof word === 'string' && digestWord.test(word)) found.add(word)
}
