import { isJsonObject, type JsonObject } from '#protocol/json.ts'
import { parsePairs, requestPairLimits } from '#server/normalize/name-value-pairs.ts'
import type { FilterSubject } from './filter-subject.ts'

/** Parses the filter fields of a transaction. Omits fields of the wrong type; never throws. */
export function parseTransaction(raw: unknown): FilterSubject {
  const event = isJsonObject(raw) ? raw : {}
  const request = parseRequest(event['request'])
  const ipAddress = isJsonObject(event['user']) ? event['user']['ip_address'] : undefined
  const runtime = isJsonObject(event['contexts']) ? event['contexts']['runtime'] : undefined
  return {
    type: 'transaction',
    ...text(event, 'transaction', 'transaction'),
    ...text(event, 'release', 'release'),
    ...text(event, 'platform', 'platform'),
    ...text(event, 'server_name', 'serverName'),
    request,
    ...(isJsonObject(runtime) && { contexts: { runtime } }),
    ...(typeof ipAddress === 'string' && { user: { ipAddress } }),
  }
}

function parseRequest(raw: unknown): FilterSubject['request'] {
  if (!isJsonObject(raw)) return undefined
  const headers = parsePairs(raw['headers'], requestPairLimits)
  return { ...text(raw, 'url', 'url'), headers }
}

function text<Name extends string>(
  source: JsonObject,
  key: string,
  name: Name,
): Partial<Record<Name, string>> {
  const value = source[key]
  const found: Partial<Record<Name, string>> = {}
  if (typeof value === 'string') found[name] = value
  return found
}
