/** A request target in its one normal spelling, cut at the question mark. */
export interface RequestTarget {
  path: string
  /** As sent, without the question mark; empty when there is none. */
  query: string
}

/** What makes a path another one for a URL parser, or has several spellings. */
const oddPath = /\/[/.]|[%"<>^`{|}]|[^\x21-\x7e]/

/** A percent sign that begins no escape: undoing the one after it could make it one. */
const brokenEscape = /%(?![\da-f]{2})/i

/** Unreserved characters: escaped they mean the same (RFC 3986 §6.2.2.2). */
const unreserved = /[\w.~-]/

/**
 * Normalizes the target of a request, once and before any check: limits must see the path that answers. Dot
 * segments are resolved like in URL parsers, also when they are escaped; repeated slashes count as one, since
 * a DSN with a path that ends in a slash makes them; escapes of plain characters are undone. `%2F` and `%5C`
 * are kept, as a part of a name. Undefined if servers disagree about the target: a fragment, a broken escape,
 * and a backslash, which some treat as a slash.
 */
export function normalizeTarget(target: string): RequestTarget | undefined {
  const mark = target.indexOf('?')
  const path = mark === -1 ? target : target.slice(0, mark)
  const query = mark === -1 ? '' : target.slice(mark + 1)
  if (path.includes('\\') || target.includes('#') || !path.startsWith('/')) return undefined
  // Without building a URL where none is needed: that would cost more than the rest of the routing.
  if (!oddPath.test(path)) return { path, query }
  if (brokenEscape.test(path)) return undefined
  const resolved = URL.parse(`http://host${path}`)?.pathname
  if (resolved === undefined) return undefined
  return { path: resolved.replaceAll(/%[\da-f]{2}/gi, unescapePlain).replaceAll(/\/{2,}/g, '/'), query }
}

function unescapePlain(escape: string): string {
  const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16))
  return unreserved.test(character) ? character : escape.toUpperCase()
}

/** The target as one text again, for what reads a request line. */
export function formatTarget({ path, query }: RequestTarget): string {
  return query === '' ? path : `${path}?${query}`
}
