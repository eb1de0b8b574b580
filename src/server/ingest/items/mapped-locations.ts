import type { Envelope } from '#protocol/envelope.ts'
import { isJsonObject } from '#protocol/json.ts'
import { parsePayloadJson } from '#protocol/payload-json.ts'
import type { IngestServices } from '#server/ingest/ingest-services.ts'
import { limits } from '#server/limits.ts'
import { normalizeEvent } from '#server/normalize/normalize-event.ts'
import type { MappedLocations } from '#server/source-maps/mapped-location.ts'

/**
 * Resolves the source locations of the envelope's event, as far as their maps are stored and can be read in
 * time. In a project with maps, an event without one costs an extra parse and no map lookup.
 */
export async function findMappedLocations(
  { sourceMaps }: Pick<IngestServices, 'sourceMaps'>,
  { items, header }: Envelope,
  { projectId, receivedAt }: { projectId: number; receivedAt: number },
): Promise<MappedLocations | undefined> {
  if (!(await sourceMaps.hasMaps(projectId))) return undefined
  const item = items.find(({ type }) => type === 'event')
  if (item === undefined || item.payload.byteLength > limits.eventBytes) return undefined
  const json = parsePayloadJson(item.payload)
  if (!json.ok || !isJsonObject(json.value)) return undefined
  const payload = json.value
  const event = normalizeEvent(payload, { eventId: header.eventId ?? '', receivedAt, isForIndex: true })
  const { locations } = await sourceMaps.findLocations({
    projectId,
    event,
    payload,
    waitMs: limits.sourceMapIngestMs,
  })
  return locations.size === 0 ? undefined : locations
}
