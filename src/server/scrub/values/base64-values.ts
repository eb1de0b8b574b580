import type { EncodedValue } from './encoded-values.ts'

/**
 * Three bytes of ASCII as base64: the high bit of each is 0, which leaves every eighth group of four
 * characters.
 */
const ascii = '[CDI-Za-f][A-HQ-Xg-nw-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][\\w+/-]'

/**
 * Base64 in both alphabets, long enough for a card, that begins with nine characters of ASCII: hardly
 * anything else does.
 */
const run = new RegExp(`(?<![\\w+/-])(?:${ascii}){3}[\\w+/-]{8,}={0,2}`, 'g')
const anyRun = new RegExp(run.source)

const control = /[^\P{Cc}\t\n\r]|\ufffd/u

/** True for a text with base64 that may hold text: cheaper than to list it. */
export function hasBase64(text: string): boolean {
  return anyRun.test(text)
}

/**
 * Lists the base64 in a text that holds text itself. Ids, hashes, paths and pictures are no text as base64.
 */
export function* base64Values(text: string): Generator<EncodedValue> {
  for (const { 0: value, index } of text.matchAll(run)) {
    const decoded = Buffer.from(value, 'base64').toString('utf8')
    if (!control.test(decoded)) yield { start: index, end: index + value.length, decoded }
  }
}
