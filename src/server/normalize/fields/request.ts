import type { RequestInfo } from '#protocol/event.ts'
import type { Json } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'
import { nonEmpty } from '#server/normalize/emptiness.ts'
import type { FieldReader } from '#server/normalize/field-reader.ts'
import { boundJson, createLargeBudget, createSmallBudget } from '#server/normalize/free-form-json.ts'
import { type NameValuePair, parsePairs, requestPairLimits } from '#server/normalize/name-value-pairs.ts'

/** Reads the HTTP request of an event; undefined if nothing is known of it. */
export function readRequest(event: FieldReader, key: string): RequestInfo | undefined {
  const reader = event.object(key)
  if (reader === undefined) return undefined
  const request: RequestInfo = {}
  const method = reader.trimmedText('method', limits.nameCharacters)
  if (method !== undefined && /^[\w-]+$/.test(method)) request.method = method.toUpperCase()
  readAddress(reader, request)
  readHeadersAndCookies(reader, request)
  const data = readBody(reader)
  const env = reader.json('env', createSmallBudget())
  if (data !== undefined) request.data = data
  if (env !== undefined) request.env = env
  return nonEmpty(request)
}

/** The value of a header, case-insensitive; undefined if it was not sent. */
export function findHeader(request: RequestInfo | undefined, name: string): string | undefined {
  return request?.headers?.find((header) => header[0].toLowerCase() === name)?.[1]
}

/** A separate query takes precedence over the one in the URL: the SDK has it from the server, undecoded. */
function readAddress(reader: FieldReader, request: RequestInfo): void {
  const sent = reader.trimmedText('url', limits.requestValueCharacters) ?? ''
  const [beforeFragment, fragment] = splitOnce(sent, '#')
  const [url, queryInUrl] = splitOnce(beforeFragment, '?')
  const query = readQuery(reader) ?? (queryInUrl === undefined ? undefined : parseQuery(queryInUrl))
  const sentFragment = reader.text('fragment', limits.requestValueCharacters) ?? fragment
  if (url !== '') request.url = url
  if (query !== undefined && query.length > 0) request.query = query
  if (sentFragment !== undefined && sentFragment !== '') request.fragment = sentFragment
}

function splitOnce(text: string, separator: string): [before: string, after: string | undefined] {
  const index = text.indexOf(separator)
  return index === -1 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)]
}

function readQuery(reader: FieldReader): NameValuePair[] | undefined {
  const sent = reader.source['query_string']
  if (typeof sent === 'string') return sent === '' ? undefined : parseQuery(sent)
  return readPairs(reader, 'query_string')
}

function parseQuery(text: string): NameValuePair[] {
  const query = new URLSearchParams(text.slice(0, limits.requestValueCharacters))
  return parsePairs([...query], requestPairLimits) ?? []
}

/** The `Cookie` header is converted to cookies, unless the SDK sent those, and is then removed. */
function readHeadersAndCookies(reader: FieldReader, request: RequestInfo): void {
  const headers = readPairs(reader, 'headers') ?? []
  const sent = reader.source['cookies']
  const sentCookies = typeof sent === 'string' ? parseCookies(sent) : readPairs(reader, 'cookies')
  const cookieHeader = headers.find((header) => header[0].toLowerCase() === 'cookie')
  const cookies = sentCookies ?? (cookieHeader === undefined ? [] : parseCookies(cookieHeader[1]))
  const otherHeaders = cookies.length === 0 ? headers : headers.filter((header) => header !== cookieHeader)
  if (otherHeaders.length > 0) request.headers = otherHeaders
  if (cookies.length > 0) request.cookies = cookies
}

function parseCookies(text: string): NameValuePair[] {
  const pairs = text
    .slice(0, limits.requestValueCharacters)
    .split(';')
    .map((cookie) => splitOnce(cookie.trim(), '='))
  return (
    parsePairs(
      pairs.map(([name, value]) => [name, value ?? '']),
      requestPairLimits,
    ) ?? []
  )
}

function readPairs(reader: FieldReader, key: string): NameValuePair[] | undefined {
  const value = reader.source[key]
  if (value === undefined || value === null) return undefined
  const pairs = parsePairs(value, requestPairLimits)
  if (pairs === undefined) reader.note(key, 'wrong_type')
  return pairs
}

function readBody(reader: FieldReader): Json | undefined {
  const value = reader.source['data']
  if (value === undefined || value === null || value === '') return undefined
  const budget = createLargeBudget()
  const data = boundJson(value, budget)
  if (budget.isExceeded) reader.note('data', 'too_long')
  return data
}
