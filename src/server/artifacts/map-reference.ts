/** Bytes at the end of minified code that are searched for the comment; an inline map needs more. */
const tailBytes = 1_024
const inlineStart = 'sourceMappingURL=data:application/json'

/** The source map of minified code: the URL of the comment at its end. Undefined if it has none. */
export function findMapReference(code: Buffer): string | undefined {
  const tail = code.subarray(-tailBytes).toString()
  const [, url] = [...tail.matchAll(/^[ \t]*\/\/[#@] *sourceMappingURL=(\S+)[ \t]*$/gm)].at(-1) ?? []
  return url === undefined || url.startsWith('data:') ? undefined : url
}

/** The source map inside the code's last comment, in base 64; undefined if there is none. */
export function findInlineMap(code: Buffer): Buffer | undefined {
  const at = code.lastIndexOf(inlineStart)
  if (at === -1) return undefined
  const comma = code.indexOf(',', at)
  if (comma === -1 || comma - at > 200) return undefined
  if (!code.subarray(at, comma).toString().endsWith(';base64')) return undefined
  const end = code.indexOf('\n', comma)
  const text = code.subarray(comma + 1, end === -1 ? undefined : end).toString('latin1')
  return Buffer.from(text, 'base64')
}
