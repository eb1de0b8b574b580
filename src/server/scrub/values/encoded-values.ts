/**
 * The value of a parameter, or a query or fragment without names, up to the character that ends it in a URL,
 * a form or the surrounding text.
 */
const parameterValue = /(?<=[=?#])[^\s&#"'<>;,=]+/g

/** A percent-encoded value of a parameter, query or fragment, with its decoded text. */
export interface EncodedValue {
  start: number
  end: number
  decoded: string
}

/**
 * Lists parameter values of queries and forms that contain escapes, or a plus for a space: their secrets are
 * recognizable only after decoding. Decodes up to three layers, because URLs within URLs are encoded twice.
 */
export function* encodedValues(text: string): Generator<EncodedValue> {
  if (!text.includes('%') && !text.includes('+')) return
  for (const { 0: value, index } of text.matchAll(parameterValue)) {
    if (value.includes('%') || value.includes('+'))
      yield { start: index, end: index + value.length, decoded: decodeLayers(value) }
  }
}

const asciiEscape = /%([0-7][\da-f])/gi

const layers = 3

function decodeLayers(value: string): string {
  let decoded = decode(value.replaceAll('+', ' '))
  for (let layer = 1; layer < layers && hasEscape.test(decoded); layer += 1) decoded = decode(decoded)
  return decoded
}

const hasEscape = /%[0-7][\da-f]/i

/**
 * Decodes only escapes of ASCII characters: secrets of a known format contain no others, and invalid escapes
 * cannot throw.
 */
function decode(value: string): string {
  return value.replaceAll(asciiEscape, (_escape, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}
