import type { EnvelopeItem } from '#protocol/envelope.ts'
import { parseEventId } from '#protocol/event-id.ts'
import { rejectTooLarge, rejectWhole, withoutBody, type IngestAnswer } from '#server/ingest/ingest-answer.ts'
import type { IngestRequest } from '#server/ingest/ingest-request.ts'
import type { IngestServices } from '#server/ingest/ingest-services.ts'
import { limits } from '#server/limits.ts'
import { receiveEnvelope, type AuthorizedBody } from './envelope.ts'

const badEventId = rejectWhole('payload', 400, 'bad event id in the path')
const noForm = rejectWhole('content_type', 415, 'attachments are sent as multipart/form-data with a boundary')
const badForm = rejectWhole('invalid_multipart', 400, 'invalid multipart data')
const tooManyParts = rejectTooLarge('the form has more parts than allowed')
const noFile = rejectWhole('no_data', 400, 'the form has no file')

/**
 * Accepts files for an earlier or later event: the files of a form, each of which is stored like an
 * attachment of an envelope. Other form fields are ignored, as in Sentry.
 */
export async function receiveAttachments(
  services: IngestServices,
  request: IngestRequest,
  { key, bytes }: AuthorizedBody,
): Promise<IngestAnswer> {
  const eventId = request.target.route === 'attachments' ? parseEventId(request.target.eventId) : undefined
  if (eventId === undefined) return badEventId
  const contentType = request.header('content-type') ?? ''
  const boundary = findBoundary(contentType)
  if (boundary === undefined) return noForm
  const starts = findParts(bytes, boundary)
  if (starts.length > limits.formParts) return tooManyParts
  if (starts.some((start) => !endsHeaders(bytes, start))) return badForm
  const form = await parseForm(bytes, contentType)
  if (form === undefined) return badForm
  const items = await Promise.all([...form.values()].filter((value) => typeof value !== 'string').map(toItem))
  if (items.length === 0) return noFile
  const envelope = { header: { eventId, raw: {} }, items }
  return withoutBody(await receiveEnvelope(services, request, { key, envelope }), 201)
}

function findBoundary(contentType: string): string | undefined {
  if (!/^\s*multipart\/form-data\s*;/i.test(contentType)) return undefined
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(contentType) ?? []
  return quoted ?? plain
}

/**
 * The offsets of the parts, up to one more than allowed. Determined before parsing, because each part costs
 * objects, however small it is.
 */
function findParts(bytes: Buffer, boundary: string): number[] {
  const delimiter = Buffer.from(`--${boundary}`, 'latin1')
  const starts: number[] = []
  for (let at = bytes.indexOf(delimiter); at !== -1 && starts.length <= limits.formParts + 1;) {
    starts.push(at + delimiter.length)
    at = bytes.indexOf(delimiter, at + delimiter.length)
  }
  // The last boundary is the end.
  return starts.slice(0, -1)
}

/** True if a part's headers end within the bytes that are searched. */
function endsHeaders(bytes: Buffer, start: number): boolean {
  return bytes.subarray(start, start + limits.formPartHeaderBytes).includes('\r\n\r\n')
}

/** Node's own parser: the whole body is in memory, so a streaming library would have no advantage. */
async function parseForm(bytes: Buffer, contentType: string): Promise<FormData | undefined> {
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData()
  } catch {
    return undefined
  }
}

async function toItem(file: File): Promise<EnvelopeItem> {
  const header = {
    type: 'attachment',
    filename: file.name,
    ...(file.type !== '' && { content_type: file.type }),
  }
  return { type: 'attachment', header, payload: new Uint8Array(await file.arrayBuffer()) }
}
