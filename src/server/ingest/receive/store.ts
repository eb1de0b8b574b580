import { isJsonObject } from '#protocol/json.ts'
import { parsePayloadJson } from '#protocol/payload-json.ts'
import { asPixel, rejectWhole, type IngestAnswer } from '#server/ingest/ingest-answer.ts'
import type { IngestRequest } from '#server/ingest/ingest-request.ts'
import type { IngestServices } from '#server/ingest/ingest-services.ts'
import { queryValues } from '#server/ingest/query-values.ts'
import { parseStoreBody, parseStoreText, type StoreBodyResult } from '#server/ingest/store-body.ts'
import { limits } from '#server/limits.ts'
import type { ProjectKey } from '#server/store/projects/projects.ts'
import { receiveEnvelope, type AuthorizedBody } from './envelope.ts'

/** Accepts one event in any of the formats of the legacy store endpoint. */
export async function receiveStoreBody(
  services: IngestServices,
  request: IngestRequest,
  { key, bytes }: AuthorizedBody,
): Promise<IngestAnswer> {
  return receiveEvent(services, request, { key, parsed: parseStoreBody(bytes) })
}

/**
 * Accepts one event in the URL of an image, as sent by browsers without cross-origin requests. The response
 * is an image, because any other type would cause an error event in the page.
 */
export async function receiveStoreQuery(
  services: IngestServices,
  request: IngestRequest,
  key: ProjectKey,
): Promise<IngestAnswer> {
  const [text = ''] = queryValues(request.query, 'sentry_data')
  return asPixel(await receiveEvent(services, request, { key, parsed: parseStoreText(text) }))
}

async function receiveEvent(
  services: IngestServices,
  request: IngestRequest,
  { key, parsed }: { key: ProjectKey; parsed: StoreBodyResult },
): Promise<IngestAnswer> {
  if (!parsed.ok) return rejectWhole(parsed.reason, parsed.status, parsed.problem)
  // Unlike an envelope, this endpoint receives only the event: broken JSON is a client error and is reported
  // as one.
  const { payload } = parsed.item
  if (payload.byteLength <= limits.eventBytes && !isEventJson(payload))
    return rejectWhole('invalid_json', 400, 'invalid JSON data')
  return receiveEnvelope(services, request, { key, envelope: { header: { raw: {} }, items: [parsed.item] } })
}

function isEventJson(payload: Uint8Array): boolean {
  const json = parsePayloadJson(payload)
  return json.ok && isJsonObject(json.value)
}
