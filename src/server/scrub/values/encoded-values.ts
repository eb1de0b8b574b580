/**
 * The value of a parameter, or a query or fragment without names, up to what ends it in an address, a form or
 * the text around them.
 */
const parameterValue = /(?<=[=?#])[^\s&#"'<>;,=]+/g

/** A parameter's value, or a query or fragment of one value, that is written in escapes, and what it says. */
export interface EncodedValue {
  start: number
  end: number
  decoded: string
}

/**
 * Lists the values of parameters in queries and forms that hold escapes or a plus for a blank: what is in
 * them shows only once they are decoded. Up to three layers are undone: addresses in addresses are encoded
 * twice.
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
 * Of the escapes only those of ASCII: secrets of a known form have no others, and a malformed one costs
 * nothing.
 */
function decode(value: string): string {
  return value.replaceAll(asciiEscape, (_escape, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}
