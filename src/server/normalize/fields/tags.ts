import type { Event } from '#protocol/event.ts'
import type { JsonObject } from '#protocol/json.ts'
import type { PromotedTagKey } from '#protocol/promoted-tags.ts'
import { limits } from '#server/limits.ts'
import type { NameValuePair } from '#server/normalize/name-value-pairs.ts'
import { firstLine } from '#server/normalize/text.ts'
import { furtherUserNames, userIdentity } from '#server/normalize/user-identity.ts'

/**
 * All tags by which an event is searched and counted: tags derived from its fields, then the SDK's own.
 *
 * At most one per key; derived tags take precedence, because the console shows them elsewhere. Values are one
 * line of at most `limits.tagValueCharacters`.
 */
export function indexedTags(event: Event): NameValuePair[] {
  const tags: NameValuePair[] = []
  const promote: Promote = (key, value) => {
    const line = value === undefined ? '' : firstLine(value, limits.tagValueCharacters)
    if (line !== '') tags.push([key, line])
  }
  promoteFields(event, promote)
  promoteContexts(event.contexts, promote)
  // At most two dozen, so a linear search is faster than building a map.
  const promoted = tags.slice()
  for (const sent of event.tags) if (!promoted.some(([key]) => key === sent[0])) tags.push(sent)
  return tags
}

type Promote = (key: PromotedTagKey, value: string | undefined) => void

function promoteFields(event: Event, promote: Promote): void {
  promote('level', event.level)
  promote('environment', event.environment)
  promote('release', event.release)
  promote('dist', event.dist)
  promote('logger', event.logger)
  promote('server_name', event.serverName)
  promote('transaction', event.transaction)
  promote('url', event.request?.url)
  promote('user', userIdentity(event))
  for (const [key, name] of furtherUserNames(event)) promote(key, name)
  promoteGeo(event.user?.geo, promote)
  promote('handled', handled(event))
  promote('mechanism', event.exceptions.at(-1)?.mechanism?.type)
}

/** Few SDKs send it; Culvert does not geolocate addresses. */
function promoteGeo(geo: JsonObject | undefined, promote: Promote): void {
  if (geo === undefined) return
  for (const name of ['country_code', 'region', 'subdivision', 'city'] as const)
    promote(`geo.${name}`, text(geo, name))
}

/** One unhandled exception makes the event unhandled, even inside a handled wrapper. */
function handled(event: Event): string | undefined {
  if (event.exceptions.some((exception) => exception.mechanism?.handled === false)) return 'no'
  return event.exceptions.some((exception) => exception.mechanism?.handled === true) ? 'yes' : undefined
}

function promoteContexts(contexts: Record<string, JsonObject>, promote: Promote): void {
  for (const name of ['browser', 'os', 'client_os', 'runtime'] as const) {
    const context = contexts[name]
    const product = text(context, 'name')
    const version = text(context, 'version')
    promote(name, product === undefined || version === undefined ? product : `${product} ${version}`)
    promote(`${name}.name`, product)
  }
  promote('device', text(contexts['device'], 'model'))
  promote('device.family', text(contexts['device'], 'family'))
}

function text(context: JsonObject | undefined, key: string): string | undefined {
  const value = context?.[key]
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}
