const doctype = Buffer.from('<!DOCTYPE html>')

/**
 * React's marker for content that the browser has to render, because it failed or is pending below a
 * `Suspense`. Escaped text cannot contain it.
 */
const unfinished = Buffer.from('<!--$!-->')
/** Its end begins with a character that HTML rarely has, by which the search is three times as fast. */
const unfinishedEnd = unfinished.subarray('<!--'.length)

/** UTF-8 has up to three bytes for each UTF-16 code unit of a string. */
const maxUnitBytes = 3

/**
 * Pages are written here first, because their size is only known then: `Buffer.from` reads the string twice,
 * and a buffer of the largest possible size counts as memory for the garbage collector. Only used within one
 * call.
 */
const scratch = Buffer.allocUnsafeSlow(1024 * 1024)

/** The bytes of a page that React rendered to a string, after the doctype. */
export function toPageBytes(html: string): Buffer<ArrayBuffer> {
  if (doctype.length + html.length * maxUnitBytes > scratch.length) {
    return Buffer.concat([doctype, Buffer.from(html)])
  }
  doctype.copy(scratch)
  const end = doctype.length + scratch.write(html, doctype.length)
  const bytes = Buffer.allocUnsafeSlow(end)
  scratch.copy(bytes, 0, 0, end)
  return bytes
}

/** The length of the doctype that `toPageBytes` writes before a page. */
export const doctypeLength = doctype.length

/** True unless the browser would have to render a part of the page. */
export function isWholePage(bytes: Buffer): boolean {
  return !bytes.includes(unfinishedEnd) || !bytes.includes(unfinished)
}
