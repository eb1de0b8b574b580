import { attributeText, findAttribute, findServiceName, type Span, type TraceSegment } from './span.ts'
import { parametrizePath, splitUrl } from './url-text.ts'

/** The name for all transactions beyond the limit of names that are counted separately. */
export const otherName = '<other>'

/** Length of a name. Relay: 200. */
const nameCharacters = 200

/** Names that SDKs give to all spans of a kind in span streams. */
const commonNames = new Set(['', 'Pageload', 'Navigation', 'Page', 'Layout', 'HTTP'])

/**
 * The name that a root span is counted under: its endpoint, after the service if OpenTelemetry names one.
 * Services of one project often have endpoints with the same name.
 */
export function nameOfTransaction(root: Span, segment: TraceSegment): string {
  return withService(segment, endpointOf(root, segment))
}

/** The same for a transaction of which only the name is known. */
export function nameOfUnseenTransaction(segment: TraceSegment): string {
  return withService(segment, endpointOfUnseen(segment))
}

/** The name of the transaction that a segment is, or belongs to. */
export function nameOfSegment(segment: TraceSegment): string {
  return withService(segment, endpointOfSegment(segment))
}

/** `nameOfSegment` without the service. */
export function endpointOfSegment(segment: TraceSegment): string {
  const [root] = segment.spans
  return root.isSegment ? endpointOf(root, segment) : endpointOfUnseen(segment)
}

function withService(segment: TraceSegment, endpoint: string): string {
  const service = findServiceName(segment)
  return service === undefined || endpoint === '' ? endpoint : cut(`${service}: ${endpoint}`)
}

/**
 * The endpoint of a root span, with few different values, so that its figures are counted together. A URL is
 * stored without its query and with `*` for each segment that is an id. A request of a server function is
 * named by the function, and one whose name is only the method by its route or path.
 */
function endpointOf(root: Span, { spans, transactionSource }: TraceSegment): string {
  const called = findServerFunction(root, spans)
  if (called !== undefined) return cut(called)
  const sent = isCommonName(root.name) ? (findMoreSpecific(root) ?? root.name) : root.name
  const isUrl =
    transactionSource === 'url' ||
    sent !== root.name ||
    (transactionSource === 'unknown' && sent.includes('/'))
  return cut(isUrl ? nameOfUrl(sent) : sent)
}

/** The same if only the name of the transaction is known. */
function endpointOfUnseen({ transaction, transactionSource }: TraceSegment): string {
  const isUrl = transactionSource === 'url' || transaction.includes('/')
  return cut(isUrl ? nameOfUrl(transaction) : transaction)
}

/** The identity of a transaction in figures: an endpoint can have loads and requests of one name. */
export interface NamedTransaction {
  name: string
  /** Empty for spans that arrived without their root span. */
  op: string
}

/**
 * A transaction as one text, which identifies it in the figures of its spans. Without an op it is only the
 * name, as earlier versions counted it.
 */
export function textOfTransaction({ name, op }: NamedTransaction): string {
  return op === '' ? name : `${name}\n${op}`
}

/** `GET`, as OpenTelemetry's instrumentations and span streams name requests; formerly `HTTP GET`. */
const methodName = /^(?:HTTP )?([A-Z]{3,7})$/

/** True for a name that SDKs give to all root spans of a kind. */
export function isCommonName(name: string): boolean {
  return commonNames.has(name) || methodName.test(name)
}

/** A span in one line: its description, or its name. If that is only a method, its route or path is added. */
export function labelOfSpan(span: Span): string {
  const { name, description } = span
  if (description === undefined) return isCommonName(name) ? (findMoreSpecific(span) ?? name) : name
  const method = attributeText(span, 'http.request.method')
  return method !== undefined && /^https?:\/\//.test(description) ? `${method} ${description}` : description
}

function findMoreSpecific(root: Span): string | undefined {
  const { description = '', name } = root
  const isUrl = /^https?:\/\//.test(description)
  if (description !== '' && description !== name && !isUrl) return description
  const [, method] = methodName.exec(name) ?? []
  for (const attribute of ['http.route', 'url.template', 'url.path', 'url.full'] as const) {
    const value = findAttribute(root, attribute)
    if (typeof value !== 'string' || value === '') continue
    const path = attribute === 'url.full' ? splitUrl(value).path : value
    return method === undefined ? path : `${method} ${path}`
  }
  return isUrl ? description : undefined
}

function nameOfUrl(text: string): string {
  const { method, host, path } = splitUrl(text)
  const shown = host + parametrizePath(path)
  return method === '' ? shown : `${method} ${shown}`
}

const functionPath = '/_serverFn/'

/**
 * The name of a server function of TanStack Start. The request's own name contains a hash of the function or
 * a wildcard; the SDK's child span has the name since version 10.56.
 */
function findServerFunction(root: Span, spans: readonly Span[]): string | undefined {
  const isCall =
    root.op === 'http.server' &&
    (root.name.includes(functionPath) || String(findAttribute(root, 'url.path') ?? '').includes(functionPath))
  if (!isCall) return undefined
  const method = splitUrl(root.name).method || 'POST'
  const child = spans.find(({ op, parentSpanId, attributes }) => {
    const isFunction =
      op === 'function.tanstackstart' || (op === 'function' && 'tanstackstart.function.id' in attributes)
    return isFunction && parentSpanId !== undefined
  })
  const name = child?.name.replace(/^(?:[A-Z]+ )?\/_serverFn\//, '')
  // The hash of a function changes with every build.
  if (name === undefined || name === '' || name.length > 60 || name.includes('*'))
    return `${method} /_serverFn/*`
  return `${method} /_serverFn/${name}`
}

function cut(name: string): string {
  return name.length > nameCharacters ? name.slice(0, nameCharacters) : name
}
