import { isJsonObject, type Json, type JsonObject } from '#protocol/json.ts'
import { readSpansV2 } from '#server/normalize/spans/span-v2.ts'
import { attributeText, type Span } from '#traces/span.ts'
import { endpointOfSegment, nameOfSegment } from '#traces/transaction-name.ts'
import type { FilterSubject } from './filter-subject.ts'

/**
 * Parses the filter fields of a root span (span protocol version 2): SDKs since 11 send it instead of a
 * transaction, and OpenTelemetry requests are converted to it. Attributes of the wrong type are left out;
 * never throws.
 */
export function parseSegment(raw: unknown): FilterSubject {
  const span = isJsonObject(raw) ? raw : {}
  const [segment] = readSpansV2([span], { receivedAt: 0 }).segments
  return {
    type: 'transaction',
    ...(typeof span['name'] === 'string' && { transaction: span['name'] }),
    release: findTextAttribute(span, 'sentry.release'),
    ...(segment !== undefined && {
      ...parseRootSpan(segment.spans[0], segment.platform),
      shownTransaction: nameOfSegment(segment),
      endpoint: endpointOfSegment(segment),
    }),
  }
}

function parseRootSpan(root: Span, platform: string): Pick<FilterSubject, 'platform' | 'request' | 'user'> {
  const userAgent = attributeText(root, 'user_agent.original')
  const ipAddress = attributeText(root, 'user.ip_address')
  return {
    // A server's spans contain the browser of its visitor. The name of an SDK does not distinguish them from
    // those of a browser: frameworks such as Next.js have one SDK for both.
    platform: /^http\.server(?:\.|$)/.test(root.op) ? 'server' : platform,
    request: {
      url: findUrl(root),
      ...(userAgent !== undefined && { headers: [['user-agent', userAgent]] }),
    },
    ...(ipAddress !== undefined && { user: { ipAddress } }),
  }
}

/** The URL of the page or of the request to a server, or of its host. */
function findUrl(root: Span): string | undefined {
  if (root.op === 'http.client') return undefined
  const address = attributeText(root, 'server.address')
  return attributeText(root, 'url.full') ?? (address === undefined ? undefined : `http://${address}`)
}

/** The text of a span's attribute in typed form: `{ "value": "checkout@1.2.0", "type": "string" }`. */
export function findTextAttribute(span: JsonObject, name: string): string | undefined {
  const attributes = span['attributes']
  const attribute: Json | undefined = isJsonObject(attributes) ? attributes[name] : undefined
  const value = isJsonObject(attribute) ? attribute['value'] : undefined
  return typeof value === 'string' ? value : undefined
}
