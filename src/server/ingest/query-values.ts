/**
 * Every value of a query parameter, in order. Equivalent to `URLSearchParams.getAll`, but without parsing the
 * other parameters: SDKs add three to the URL of every envelope, and two need no decoding.
 */
export function queryValues(query: string, name: string): string[] {
  const values: string[] = []
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=')
    const rawName = equals === -1 ? pair : pair.slice(0, equals)
    if (decode(rawName) === name) values.push(equals === -1 ? '' : decode(pair.slice(equals + 1)))
  }
  return values
}

/** A plus is a space; an invalid escape is left unchanged. */
function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
