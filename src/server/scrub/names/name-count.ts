import type { Json } from '#protocol/json.ts'

const quote = 0x22
const colon = 0x3a

const backslash = 0x5c

/**
 * Characters before a quote that does not end a name: a backslash escapes the quote, and after the others a
 * string begins.
 */
const notBeforeEnd = new Uint8Array(256)
for (const byte of Buffer.from('\\ :,[{')) notBeforeEnd[byte] = 1

/** Counts the field names in a JSON value, at any depth, which may be too deep for recursion. */
export function countNames(value: Json): number {
  let count = 0
  const open: Json[] = [value]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue
    if (Array.isArray(next)) {
      for (const element of next) if (typeof element === 'object') open.push(element)
      continue
    }
    for (const name in next) {
      count += 1
      const child = next[name] ?? null
      if (typeof child === 'object') open.push(child)
    }
  }
  return count
}

/**
 * True if JSON text contains fields that its parsed value does not: of a duplicate name in an object, parsing
 * keeps the last one, but the text still contains the first. Detected by the number of names.
 */
export function hidesFields(json: Uint8Array, nameCount: number): boolean {
  return countUsualNames(json) !== nameCount && countColons(json) !== nameCount
}

/**
 * Counts names in the usual format, `"name":`. Searches four bytes at a time for a colon, which takes a third
 * of the time of a byte-wise search, and is faster than `indexOf`, whose calls cost more than the few bytes
 * between two colons.
 */
function countUsualNames(json: Uint8Array): number {
  const { byteLength } = json
  const firstWord = -json.byteOffset & 3
  // A shorter payload may not contain a whole aligned word.
  if (byteLength < firstWord + 4) return countNamesIn(json, 0, byteLength)
  const wordCount = (byteLength - firstWord) >>> 2
  const words = new Uint32Array(json.buffer, json.byteOffset + firstWord, wordCount)
  let count = countNamesIn(json, 0, firstWord)
  for (let index = 0; index < wordCount; index += 1) {
    const others = (words[index] ?? 0) ^ fourColons
    // Subtracting 1 from each byte borrows if it is 0, which was a colon; sometimes also in a neighbouring
    // byte.
    if (((others - fourOnes) & ~others & fourHighBits) === 0) continue
    const at = firstWord + index * 4
    count += countNamesIn(json, at, at + 4)
  }
  return count + countNamesIn(json, firstWord + wordCount * 4, byteLength)
}

const fourColons = 0x3a_3a_3a_3a
const fourOnes = 0x01_01_01_01
const fourHighBits = 0x80_80_80_80

/** Counts the names whose colon is between two offsets. */
function countNamesIn(json: Uint8Array, start: number, end: number): number {
  let count = 0
  for (let index = start; index < end; index += 1) {
    const isName =
      json[index] === colon && json[index - 1] === quote && notBeforeEnd[json[index - 2] ?? 0] !== 1
    if (isName) count += 1
  }
  return count
}

/** Counts colons outside of strings. */
function countColons(json: Uint8Array): number {
  let count = 0
  let isInText = false
  for (let index = 0; index < json.length; index += 1) {
    const byte = json[index]
    if (isInText && byte === backslash) index += 1
    else if (byte === quote) isInText = !isInText
    else if (byte === colon && !isInText) count += 1
  }
  return count
}
