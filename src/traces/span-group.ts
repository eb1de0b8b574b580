import { maskValues, queryText } from './query-text.ts'
import { attributeText, findAttribute, type Span } from './span.ts'
import type { ScrubSql } from './sql-text.ts'
import { textHash } from './text-hash.ts'
import { isId, parametrizePath, splitUrl } from './url-text.ts'

/** Spans of the same operation: one query with any values, requests to one host. */
export interface SpanGroup {
  /** `db`, `http`, `cache`, `queue`, `resource`; else the first part of the op. */
  category: string
  /** Their description with placeholders for values; of a long one the ends and a hash of the whole. */
  text: string
}

/** Length of a group's text. Relay: 200. */
const groupCharacters = 200

/** Length of the end of a longer text, which contains the conditions of a query. */
const groupEndCharacters = 80

/** Categories of spans, by the first part of the op; Relay's (`tag_extraction.rs`). */
const categories = new Set([
  'ai',
  'app',
  'browser',
  'cache',
  'console',
  'db',
  'event',
  'file',
  'function',
  'gen_ai',
  'graphql',
  'grpc',
  'http',
  'measure',
  'middleware',
  'navigation',
  'pageload',
  'queue',
  'resource',
  'rpc',
  'serialize',
  'subprocess',
  'template',
  'topic',
  'ui',
  'view',
  'websocket',
])

/** The group of a span. */
export function groupOfSpan(span: Span, scrubSql: ScrubSql): SpanGroup {
  const category = categoryOfOp(span.op)
  return { category, text: shortenName(textOf(span, { category, scrubSql })) }
}

/**
 * Shortens a text to at most `groupCharacters`, with a distinct result for every text: it identifies a group,
 * and queries that differ in their conditions often begin with the same columns. The texts of spans are
 * bounded by the limits of their attributes.
 */
function shortenName(text: string): string {
  if (text.length <= groupCharacters) return text
  const end = `${text.slice(-groupEndCharacters)} #${textHash(text)}`
  return `${text.slice(0, groupCharacters - end.length - 3)} … ${end}`.toWellFormed()
}

/** The category of an op; `other` if it is none of the known ones. */
function categoryOfOp(op: string): string {
  const first = op.split('.', 1)[0] ?? ''
  return categories.has(first) ? first : 'other'
}

function textOf(span: Span, { category, scrubSql }: { category: string; scrubSql: ScrubSql }): string {
  switch (category) {
    case 'db':
      return queryText(span, scrubSql)
    case 'http':
      return textOfRequest(span)
    case 'cache':
      return span.op
    case 'queue':
      return `${span.op} ${destinationOf(span)}`.trimEnd()
    case 'resource':
      return textOfResource(span)
    case 'function':
    case 'middleware':
    case 'graphql':
    case 'rpc':
    case 'grpc':
    case 'template':
      return maskValues(parametrizePath(splitPath(span.name)))
    default:
      return span.op
  }
}

/** The name of a queue or topic. Temporary ones have a new name each time. */
function destinationOf(span: Span): string {
  const isTemporary = (['temporary', 'anonymous'] as const).some(
    (kind) => findAttribute(span, `messaging.destination.${kind}`) === true,
  )
  return (
    attributeText(span, 'messaging.destination.template') ??
    (isTemporary ? '(temporary)' : (attributeText(span, 'messaging.destination.name') ?? ''))
  )
}

function textOfRequest(span: Span): string {
  const { method, host, path } = splitUrl(attributeText(span, 'url.full') ?? span.description ?? span.name)
  const verb =
    attributeText(span, 'http.request.method') ?? attributeText(span, 'http.method') ?? (method || 'GET')
  return `${verb.slice(0, 10).toUpperCase()} ${host === '' ? parametrizePath(path) : host}`
}

function textOfResource(span: Span): string {
  const { host, path } = splitUrl(span.description ?? span.name)
  const folders = path.split('/')
  const file = folders.pop() ?? ''
  const ending = /\.[a-z0-9]{1,8}$/i.exec(file)?.[0] ?? ''
  const shown = folders.map((folder) => (isId(folder) || folder.length > 25 ? '*' : folder)).join('/')
  return `${span.op.slice('resource.'.length)} ${host}${shown}/*${ending}`
}

/** A name without its query. */
function splitPath(name: string): string {
  return name.split('?', 1)[0] ?? ''
}
