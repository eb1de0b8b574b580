import type { RequestInfo } from '#protocol/event.ts'
import type { Json } from '#protocol/json.ts'

/** Headers that curl sets itself, or that would be wrong for another body or connection. */
const ownHeaders = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'cookie',
  'host',
  'transfer-encoding',
])

/** RFC 9110: a valid name of a header or method. Others are omitted, as curl reads `@file` from a file. */
const token = /^[\w!#$%&'*+.^`|~-]+$/

/**
 * The stored request as a command line for curl and a POSIX shell; scrubbed parts are omitted. Undefined
 * unless the URL is HTTP.
 */
export function toCurlCommand(request: RequestInfo): string | undefined {
  const url = fullUrl(request)
  if (url === undefined) return undefined
  const lines = [`curl --globoff ${methodOption(request)}--url ${quoteForShell(url)}`]
  for (const [name, value] of request.headers ?? []) {
    if (!token.test(name) || ownHeaders.has(name.toLowerCase())) continue
    lines.push(`--header ${quoteForShell(`${name}: ${toLine(value)}`)}`)
  }
  const cookies = cookieLine(request)
  if (cookies !== '') lines.push(`--header ${quoteForShell(`Cookie: ${cookies}`)}`)
  if (request.data !== undefined) lines.push(`--data-raw ${quoteForShell(bodyText(request, request.data))}`)
  return lines.join(' \\\n  ')
}

/** Control characters except line feed: a terminal interprets them when pasted, also within quotes. */
// oxlint-disable-next-line no-control-regex -- these are the ones
const controlCharacters = /[\u0001-\u0009\u000b-\u001f\u007f-\u009f]+/g

/**
 * Quotes a text as one word of a POSIX shell, safe to paste into a terminal: control characters are octal
 * escapes for `printf`. A NUL, which no argument can contain, is omitted.
 */
export function quoteForShell(text: string): string {
  const quoted = text.replaceAll('\0', '').replaceAll("'", String.raw`'\''`)
  return `'${quoted.replaceAll(controlCharacters, (run) => `'"$(printf '${octalEscapes(run)}')"'`)}'`
}

function octalEscapes(text: string): string {
  return [...new TextEncoder().encode(text)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
}

function methodOption({ method, data }: RequestInfo): string {
  if (method === undefined || !token.test(method)) return ''
  if (method === 'HEAD') return '--head '
  const isUsual = method === (data === undefined ? 'GET' : 'POST')
  return isUsual ? '' : `--request ${quoteForShell(method)} `
}

function fullUrl({ url, query }: RequestInfo): string | undefined {
  if (url === undefined || !/^https?:\/\/[^\s/]/i.test(url)) return undefined
  if (query === undefined || query.length === 0) return url
  return `${url}?${new URLSearchParams(query).toString()}`
}

function cookieLine({ headers, cookies }: RequestInfo): string {
  if (cookies !== undefined) return cookies.map(([name, value]) => toLine(`${name}=${value}`)).join('; ')
  return toLine(headers?.find(([name]) => name.toLowerCase() === 'cookie')?.[1] ?? '')
}

/**
 * An object is encoded as a form if the request's content type is a form; a string is sent unchanged, other
 * values as JSON.
 */
function bodyText({ headers }: RequestInfo, data: Json): string {
  if (typeof data === 'string') return data
  const type = headers?.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  if (type.includes('x-www-form-urlencoded') && typeof data === 'object' && data !== null) {
    const fields = Object.entries(data).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ])
    return new URLSearchParams(fields).toString()
  }
  return JSON.stringify(data)
}

/** A header is one line. */
function toLine(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ')
}
