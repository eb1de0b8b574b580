import { isJsonObject, type Json, type JsonObject } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'
import type { FilterSubject } from './filter-subject.ts'

/**
 * Parses the filter fields of a root span (span protocol version 2): SDKs since 11 send it instead of a
 * transaction. Attributes of a wrong shape are left out; never throws.
 */
export function parseSegment(raw: unknown): FilterSubject {
  const span = isJsonObject(raw) ? raw : {}
  const release = findTextAttribute(span, 'sentry.release')
  const userAgent = findTextAttribute(span, 'user_agent.original')
  return {
    type: 'transaction',
    ...(typeof span['name'] === 'string' && { transaction: span['name'] }),
    release,
    ...(userAgent !== undefined && {
      request: { headers: [['user-agent', userAgent.slice(0, limits.userAgentCharacters)]] },
    }),
  }
}

/** The text of a span's attribute, which has its type: `{ "value": "checkout@1.2.0", "type": "string" }`. */
export function findTextAttribute(span: JsonObject, name: string): string | undefined {
  const attributes = span['attributes']
  const attribute: Json | undefined = isJsonObject(attributes) ? attributes[name] : undefined
  const value = isJsonObject(attribute) ? attribute['value'] : undefined
  return typeof value === 'string' ? value : undefined
}
