import { parseDsn } from '#protocol/dsn.ts'
import { parseEventId } from '#protocol/event-id.ts'
import { authorize, parsePublicKey } from '#server/ingest/authenticate.ts'
import {
  methodNotAllowed,
  rejectTooLarge,
  rejectWhole,
  type IngestAnswer,
} from '#server/ingest/ingest-answer.ts'
import { mediaTypeOf, type IngestRequest } from '#server/ingest/ingest-request.ts'
import type { IngestServices } from '#server/ingest/ingest-services.ts'
import { queryValues } from '#server/ingest/query-values.ts'
import type { RequestResult } from '#server/ingest/rejected-request.ts'
import {
  findForeignOriginAnswer,
  findRateLimitedAnswer,
  findOverloadAnswer,
} from '#server/ingest/rejected-sender.ts'
import { dialogScript } from '#server/ingest/report-dialog/dialog-script.ts'
import { limits } from '#server/limits.ts'
import type { ProjectKey } from '#server/store/projects/projects.ts'
import { receiveEnvelope } from './envelope.ts'

const badEventId = rejectWhole('payload', 400, 'eventId is required: the ID of an event')
const badDsn = rejectWhole('project_id', 400, 'dsn is required: the DSN of a project')
const noForm = rejectWhole('content_type', 415, 'a report is sent as application/x-www-form-urlencoded')
const tooLargeForm = rejectTooLarge('the report is larger than allowed')
const noComments = rejectWhole('no_data', 400, 'comments must not be empty')

const scriptAnswer: IngestAnswer = {
  status: 200,
  headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-store' },
  body: dialogScript,
}

/** Reads a body, or returns the answer to a request whose body cannot be read. */
export type BodyReader = () => Promise<{ ok: true; bytes: Buffer } | { ok: false; answer: IngestAnswer }>

/**
 * The report dialog of `showReportDialog()`: GET returns the script that opens it, POST stores the visitor's
 * text as a user report about `eventId`. Key, origin and limits of the project apply as for an envelope. The
 * parameters are Sentry's.
 */
export async function receiveReportDialog(
  services: IngestServices,
  request: IngestRequest,
  readBody: BodyReader,
): Promise<RequestResult> {
  const { method, query } = request
  if (method !== 'GET' && method !== 'POST') return { answer: methodNotAllowed('GET, POST, OPTIONS') }
  const eventId = parseEventId(queryValues(query, 'eventId')[0])
  if (eventId === undefined) return { answer: badEventId }
  const dsn = parseDsn(queryValues(query, 'dsn')[0] ?? '')
  const publicKey = dsn === undefined ? undefined : parsePublicKey(dsn.publicKey)
  if (dsn === undefined || publicKey === undefined) return { answer: badDsn }
  const project = await authorize(services.projectKeys, publicKey, dsn.projectId)
  if (!project.ok) return { ...project, namedProject: dsn.projectId }
  const { key } = project
  const answer = await receiveForProject(services, request, { key, eventId, readBody })
  return { answer, projectId: key.projectId }
}

async function receiveForProject(
  services: IngestServices,
  request: IngestRequest,
  { key, eventId, readBody }: { key: ProjectKey; eventId: string; readBody: BodyReader },
): Promise<IngestAnswer> {
  const rejected =
    findForeignOriginAnswer(request, key) ??
    findRateLimitedAnswer(services, request, key) ??
    findOverloadAnswer(services)
  if (rejected !== undefined) return rejected
  if (request.method === 'GET') return scriptAnswer
  if (mediaTypeOf(request) !== 'application/x-www-form-urlencoded') return noForm
  const body = await readBody()
  if (!body.ok) return body.answer
  return receiveReport(services, request, { key, eventId, bytes: body.bytes })
}

function receiveReport(
  services: IngestServices,
  request: IngestRequest,
  { key, eventId, bytes }: { key: ProjectKey; eventId: string; bytes: Buffer },
): IngestAnswer | Promise<IngestAnswer> {
  if (bytes.length > limits.reportFormBytes) return tooLargeForm
  const fields = new URLSearchParams(bytes.toString('utf8'))
  const comments = fields.get('comments')?.trim() ?? ''
  if (comments === '') return noComments
  const report = {
    event_id: eventId,
    name: fields.get('name') ?? '',
    email: fields.get('email') ?? '',
    comments,
  }
  const item = {
    type: 'user_report',
    header: { type: 'user_report' },
    payload: Buffer.from(JSON.stringify(report)),
  }
  return receiveEnvelope(services, request, {
    key,
    envelope: { header: { eventId, raw: { event_id: eventId } }, items: [item] },
  })
}
