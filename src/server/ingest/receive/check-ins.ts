import { isJsonObject, type JsonObject } from '#protocol/json.ts'
import { parsePayloadJson } from '#protocol/payload-json.ts'
import type { IngestAnswer } from '#server/ingest/ingest-answer.ts'
import type { IngestRequest, IngestTarget } from '#server/ingest/ingest-request.ts'
import type { IngestServices } from '#server/ingest/ingest-services.ts'
import { queryValues } from '#server/ingest/query-values.ts'
import { limits } from '#server/limits.ts'
import { receiveEnvelope, type AuthorizedBody } from './envelope.ts'

/** A job that only requests a URL may use any of these methods. */
export const checkInMethods: readonly string[] = ['GET', 'POST', 'HEAD', 'OPTIONS']

type CheckInTarget = Extract<IngestTarget, { route: 'cron' | 'ping' }>

/**
 * Accepts a check-in as one request: Sentry's, with its fields in the query or in JSON, or healthchecks.io's,
 * with its status in the path and the output of the job as the body.
 */
export async function receiveCheckIn(
  services: IngestServices,
  request: IngestRequest,
  { key, bytes }: AuthorizedBody,
): Promise<IngestAnswer> {
  const { target } = request
  const fields = target.route === 'ping' ? toPingFields(target, request, bytes) : toCronFields(request, bytes)
  const payload = Buffer.from(JSON.stringify(fields))
  const envelope = {
    header: { raw: {} },
    items: [{ type: 'check_in', header: { type: 'check_in' }, payload }],
  }
  return receiveEnvelope(services, request, { key, envelope })
}

function toCronFields({ target, header, query }: IngestRequest, bytes: Buffer): JsonObject {
  const slug = target.route === 'cron' ? target.slug : ''
  const isJson = header('content-type')?.trim().toLowerCase().startsWith('application/json') === true
  if (isJson && bytes.length > 0) {
    const json = parsePayloadJson(bytes)
    const sent = json.ok && isJsonObject(json.value) ? json.value : {}
    return { ...sent, monitor_slug: slug }
  }
  const names = ['status', 'check_in_id', 'environment', 'duration']
  const sent = names.flatMap((name) => {
    const [value] = queryValues(query, name)
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(sent), monitor_slug: slug }
}

/** The monitor that `?create=1` creates: healthchecks.io's default is a day, with an hour of grace. */
const createdConfig = { schedule: { type: 'interval', value: 1, unit: 'day' }, checkin_margin: 60 }

function toPingFields(
  { slug, verb }: Extract<CheckInTarget, { route: 'ping' }>,
  { query }: IngestRequest,
  bytes: Buffer,
): JsonObject {
  const [runId] = queryValues(query, 'rid')
  const [environment] = queryValues(query, 'environment')
  const isCreating = queryValues(query, 'create').includes('1')
  const output = bytes.subarray(0, limits.checkInOutputCharacters).toString()
  return {
    monitor_slug: slug,
    status: pingStatus(verb),
    ...(runId !== undefined && { check_in_id: runId }),
    ...(environment !== undefined && { environment }),
    ...(isCreating && { monitor_config: createdConfig }),
    ...(output !== '' && { output }),
  }
}

function pingStatus(verb: string | undefined): string {
  if (verb === undefined || Number(verb) === 0) return 'ok'
  if (verb === 'start') return 'in_progress'
  return verb === 'log' ? 'log' : 'error'
}

/**
 * The answer to a check-in: 202 without a body, even above a rate limit, as in Relay, because jobs do not
 * handle 429. For healthchecks.io, 200 `OK`. A check-in that could not be committed is answered 503, which
 * `curl --retry` repeats.
 */
export function toCheckInAnswer({ route }: CheckInTarget, answer: IngestAnswer): IngestAnswer {
  const { status, headers, rejection } = answer
  // An overload, or a store that cannot be written, but not a rate limit.
  const isBusy = /:(?:overload|unavailable)$/.test(headers['x-sentry-rate-limits'] ?? '')
  if (status === 429 && isBusy) return { ...answer, status: 503 }
  if (status !== 200 && status !== 429) return answer
  if (route === 'cron') return { status: 202, headers: {}, body: '', rejection }
  const bodyLimit = { 'ping-body-limit': String(limits.checkInOutputCharacters) }
  return { status: 200, headers: { 'content-type': 'text/plain', ...bodyLimit }, body: 'OK', rejection }
}
