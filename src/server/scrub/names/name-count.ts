import type { Json } from '#protocol/json.ts'

const quote = 0x22
const colon = 0x3a

const backslash = 0x5c

/**
 * Before a quote: a backslash makes it part of a text, and behind the others a text begins rather than ends.
 */
const notBeforeEnd = new Uint8Array(256)
for (const byte of Buffer.from('\\ :,[{')) notBeforeEnd[byte] = 1

/** Names of fields in a JSON value, at any depth: deeper than a recursion could follow. */
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
 * True when JSON text contains fields that its parsed value does not: for a duplicate name in an object,
 * parsing keeps the last, and the text still has the first. Detected by the count of names.
 */
export function hidesFields(json: Uint8Array, nameCount: number): boolean {
  return countUsualNames(json) !== nameCount && countColons(json) !== nameCount
}

/**
 * Names as nearly everybody writes them, `"name":`. Looks at four bytes at a time for a colon, which takes a
 * third of the time of looking at each, and is faster than `indexOf`, which costs more to call than the few
 * bytes from one to the next.
 */
function countUsualNames(json: Uint8Array): number {
  const { byteLength } = json
  const firstWord = -json.byteOffset & 3
  // Of less than a word there may be no view at all: it would begin behind the payload's end, or between two
  // words.
  if (byteLength < firstWord + 4) return countNamesIn(json, 0, byteLength)
  const wordCount = (byteLength - firstWord) >>> 2
  const words = new Uint32Array(json.buffer, json.byteOffset + firstWord, wordCount)
  let count = countNamesIn(json, 0, firstWord)
  for (let index = 0; index < wordCount; index += 1) {
    const others = (words[index] ?? 0) ^ fourColons
    // Subtracting 1 from each byte borrows where it is 0, which was a colon; sometimes also in a neighbouring
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

/** Colons that are in no text. */
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
