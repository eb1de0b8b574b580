import type { EncodedValue } from './encoded-values.ts'

/**
 * Three bytes of ASCII in base64: the high bit of each is 0, which one in eight groups of four characters
 * fulfils.
 */
const ascii = '[CDI-Za-f][A-HQ-Xg-nw-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][\\w+/-]'

/**
 * Base64 in both alphabets, long enough for a card number, that begins with nine ASCII characters: hardly any
 * other text matches.
 */
const run = new RegExp(`(?<![\\w+/-])(?:${ascii}){3}[\\w+/-]{8,}={0,2}`, 'g')
const anyRun = new RegExp(run.source)

const control = /[^\P{Cc}\t\n\r]|\ufffd/u

/** True for a text with base64 that may contain text: cheaper than listing it. */
export function hasBase64(text: string): boolean {
  return anyRun.test(text)
}

/** Lists base64 in a text that decodes to text. Ids, hashes, paths and images do not. */
export function* base64Values(text: string): Generator<EncodedValue> {
  for (const { 0: value, index } of text.matchAll(run)) {
    const decoded = Buffer.from(value, 'base64').toString('utf8')
    if (!control.test(decoded)) yield { start: index, end: index + value.length, decoded }
  }
}
