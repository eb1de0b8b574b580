/** A normalized request target, split at the question mark. */
export interface RequestTarget {
  path: string
  /** As sent, without the question mark; empty if there is none. */
  query: string
}

/** Characters that URL parsers treat differently, or that have several encodings. */
const oddPath = /\/[/.]|[%"<>^`{|}]|[^\x21-\x7e]/

/** A percent sign that begins no escape: decoding the following one could create one. */
const brokenEscape = /%(?![\da-f]{2})/i

/** Unreserved characters, whose escapes are equivalent (RFC 3986 §6.2.2.2). */
const unreserved = /[\w.~-]/

/**
 * Normalizes the target of a request, once and before any check, so that limits apply to the path that is
 * answered. Dot segments are resolved like in URL parsers, even if they are escaped; repeated slashes count
 * as one, because a DSN with a path that ends in a slash creates them; escapes of unreserved characters are
 * decoded. `%2F` and `%5C` are kept, as a part of a name. Undefined if servers disagree about the target: a
 * fragment, an invalid escape, or a backslash, which some treat as a slash.
 */
export function normalizeTarget(target: string): RequestTarget | undefined {
  const mark = target.indexOf('?')
  const path = mark === -1 ? target : target.slice(0, mark)
  const query = mark === -1 ? '' : target.slice(mark + 1)
  if (path.includes('\\') || target.includes('#') || !path.startsWith('/')) return undefined
  // Avoids building a URL, which would cost more than the rest of the routing.
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

/** The target as one text, for code that reads a request line. */
export function formatTarget({ path, query }: RequestTarget): string {
  return query === '' ? path : `${path}?${query}`
}
