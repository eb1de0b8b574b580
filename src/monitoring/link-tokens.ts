/**
 * The token in the URL of a page or an image that is opened by a secret link, even if the URL is itself a
 * parameter of another one.
 */
const linkToken =
  /(?:\/|%2F)(?:(?:invite|password|unsubscribe|badge(?:\/|%2F)\d+)(?:\/|%2F)|setup(?:\?|%3F)token(?:=|%3D))([\w-]{16,})/gi

const replacement = '[Filtered]'

/** Removes the tokens of secret links from a text: members of Culvert's own project must not get them. */
export function withoutLinkTokens(text: string): string {
  return replaceAll(text, findLinkTokens(text))
}

/**
 * Removes the tokens of secret links from all texts of an event in place: the URL, the referrer, breadcrumbs,
 * and the files of inline scripts. A token that one text has as a part of a URL is removed from the others,
 * too: requests for page data have it as an argument.
 */
export function removeLinkTokens(event: object): void {
  const tokens = new Set<string>()
  visitTexts(event, (text) => {
    for (const token of findLinkTokens(text)) tokens.add(token)
    return text
  })
  if (tokens.size > 0) visitTexts(event, (text) => replaceAll(text, tokens))
}

function findLinkTokens(text: string): string[] {
  return [...text.matchAll(linkToken)].flatMap(([, token]) => token ?? [])
}

function replaceAll(text: string, tokens: Iterable<string>): string {
  let replaced = text
  for (const token of tokens) replaced = replaced.replaceAll(token, replacement)
  return replaced
}

/** Visits the texts of plain objects and lists; the SDK's own objects have a class. */
function visitTexts(value: object, visit: (text: string) => string, seen = new Set<object>()): void {
  if (seen.has(value)) return
  seen.add(value)
  for (const [key, item] of Object.entries(value)) {
    if (typeof item === 'string') {
      const text = visit(item)
      if (text !== item) Reflect.set(value, key, text)
    } else if (isPlain(item)) visitTexts(item, visit, seen)
  }
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === Object.prototype || prototype === null
}
