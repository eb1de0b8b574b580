import { parseEnvelope } from '#protocol/envelope.ts'
import {
  authorize,
  missingKey,
  parseCredentials,
  parseEnvelopeDsn,
  badEnvelopeKey,
} from '#server/ingest/authenticate.ts'
import {
  methodNotAllowed,
  rejectWhole,
  acceptedAnswer,
  tryLater,
  withoutBody,
  type IngestAnswer,
} from '#server/ingest/ingest-answer.ts'
import type { BodyResult, IngestRequest, IngestTarget } from '#server/ingest/ingest-request.ts'
import type { IngestServices } from '#server/ingest/ingest-services.ts'
import { countRejection, type RequestResult } from '#server/ingest/rejected-request.ts'
import {
  findForeignOriginAnswer,
  findRateLimitedAnswer,
  findOverloadAnswer,
  findTraceOverloadAnswer,
} from '#server/ingest/rejected-sender.ts'
import {
  findOwnProject,
  findTunnelDestination,
  malformedTunnelAddress,
  openTo,
  openToAll,
  parseTunnelAddress,
  type TunnelAddress,
} from '#server/ingest/tunnel.ts'
import { isAnswerUnread } from '#server/ingest/unread-answer.ts'
import { findUnavailability } from '#server/store/errors.ts'
import type { ProjectKey } from '#server/store/projects/projects.ts'
import { receiveAttachments } from './attachments.ts'
import { checkInMethods, receiveCheckIn, toCheckInAnswer } from './check-ins.ts'
import { invalidEnvelope, receiveEnvelope, receiveEnvelopeBody } from './envelope.ts'
import { receiveOtlpTraces } from './otlp.ts'
import { receiveReportDialog } from './report-dialog.ts'
import { hasReportType, receiveReports, unknownReportType } from './reports.ts'
import { receiveStoreBody, receiveStoreQuery } from './store.ts'

/**
 * Handles an ingest request: authenticates, reads, parses and processes it, and answers 200 after it is on
 * disk. The promise never rejects: every expected result is an answer. An internal error is a 500, whose
 * cause is only logged.
 */
export async function receive(services: IngestServices, request: IngestRequest): Promise<IngestAnswer> {
  const { target, method } = request
  try {
    if (target.route === 'tunnel') return await receiveFromTunnel(services, request)
    if (method === 'OPTIONS') return acceptedAnswer(undefined)
    if (target.route === 'unsupported')
      return countRejection(services, request, { answer: unsupportedEndpoint })
    if (target.route === 'report-dialog') {
      const result = await receiveReportDialog(services, request, async () => {
        const body = await readBody(services, request)
        return body.ok ? body : { ok: false, answer: bodyRejection(body) }
      })
      return countRejection(services, request, result)
    }
    if (target.route === 'cron' || target.route === 'ping') {
      if (!checkInMethods.includes(method)) return methodNotAllowed(checkInMethods.join(', '))
      return toCheckInAnswer(target, await receiveFromSdk(services, request, target))
    }
    const allowed = target.route === 'store' ? ['POST', 'GET'] : ['POST']
    if (!allowed.includes(method)) return methodNotAllowed([...allowed, 'OPTIONS'].join(', '))
    const answer = await receiveFromSdk(services, request, target)
    return isAnswerUnread(request) ? withoutBody(answer, 200) : answer
  } catch (thrown) {
    if (findUnavailability(thrown) !== undefined) {
      // The store has logged it once: a line per request would fill the disk further.
      const answer = tryLater('the store is not writable at the moment')
      return target.route === 'tunnel' ? openToAll(answer) : answer
    }
    services.log.error({ err: thrown }, 'ingest request failed')
    return countRejection(services, request, { answer: internalError })
  }
}

const internalError = rejectWhole('internal', 500, 'internal error')

const unsupportedEndpoint = rejectWhole(
  'feature_disabled',
  404,
  'this server does not accept minidumps, crash reports of game engines, network error reports or OpenTelemetry logs',
)

type SdkTarget = Exclude<IngestTarget, { route: 'tunnel' | 'report-dialog' | 'unsupported' }>

async function receiveFromSdk(
  services: IngestServices,
  request: IngestRequest,
  target: SdkTarget,
): Promise<IngestAnswer> {
  const parsed = parseCredentials(request.query, request.header, findPathKey(target))
  if (!parsed.ok) return countRejection(services, request, parsed)
  const { publicKey } = parsed
  if (publicKey === undefined) {
    return countRejection(
      services,
      request,
      target.route === 'envelope'
        ? await receiveSelfAuthenticated(services, request, target.project)
        : { answer: missingKey },
    )
  }
  // Before the body is read: a client need not upload megabytes to learn that its key is wrong.
  const pathProject = target.route === 'ping' ? undefined : target.project
  const project = await authorize(services.projectKeys, publicKey, pathProject)
  if (!project.ok) return countRejection(services, request, project)
  const { key } = project
  const answer = await receiveForProject(services, request, { target, key })
  return countRejection(services, request, { answer, projectId: key.projectId })
}

async function receiveForProject(
  services: IngestServices,
  request: IngestRequest,
  { target, key }: { target: SdkTarget; key: ProjectKey },
): Promise<IngestAnswer> {
  const rejected =
    findForeignOriginAnswer(request, key) ??
    findRateLimitedAnswer(services, request, key) ??
    (target.route === 'otlp-traces' ? findTraceOverloadAnswer(services) : findOverloadAnswer(services))
  if (rejected !== undefined) return rejected
  if (target.route === 'security' && !hasReportType(request)) return unknownReportType
  if (target.route === 'store' && request.method === 'GET') return receiveStoreQuery(services, request, key)
  const body = await readBody(services, request)
  if (!body.ok) return bodyRejection(body)
  const receiveBody = isEnvelope(request) ? receiveEnvelopeBody : bodyReceivers[target.route]
  return receiveBody(services, request, { key, bytes: body.bytes })
}

/** The key in the path of a check-in. */
function findPathKey(target: SdkTarget): string | undefined {
  return target.route === 'cron' || target.route === 'ping' ? target.publicKey : undefined
}

const bodyReceivers: Record<SdkTarget['route'], typeof receiveEnvelopeBody> = {
  envelope: receiveEnvelopeBody,
  store: receiveStoreBody,
  security: receiveReports,
  attachments: receiveAttachments,
  cron: receiveCheckIn,
  ping: receiveCheckIn,
  'otlp-traces': receiveOtlpTraces,
}

/** True if the body is an envelope: the legacy endpoint also accepts one if its content type says so. */
function isEnvelope({ target, header }: IngestRequest): boolean {
  const contentType = header('content-type')?.trim().toLowerCase() ?? ''
  return target.route === 'store' && contentType.startsWith('application/x-sentry-envelope')
}

/** Receives an envelope whose header contains the DSN, in a request without a key. */
async function receiveSelfAuthenticated(
  services: IngestServices,
  request: IngestRequest,
  pathProject: string,
): Promise<RequestResult> {
  const overloaded = findOverloadAnswer(services)
  if (overloaded !== undefined) return { answer: overloaded }
  const body = await readBody(services, request)
  if (!body.ok) return { answer: bodyRejection(body) }
  const parsed = parseEnvelope(body.bytes)
  if (!parsed.ok) return { answer: parsed.hasHeader ? invalidEnvelope(parsed.problem) : badEnvelopeKey }
  const dsn = parseEnvelopeDsn(parsed.envelope.header)
  if (!dsn.ok) return dsn
  if (Number(pathProject) !== Number(dsn.projectId))
    return { answer: invalidEnvelope('project id header mismatch') }
  const project = await authorize(services.projectKeys, dsn.publicKey, pathProject)
  if (!project.ok) return project
  const { key } = project
  const authorized = { key, envelope: parsed.envelope, bytes: body.bytes }
  const answer =
    findForeignOriginAnswer(request, key) ?? (await receiveEnvelope(services, request, authorized))
  return { answer, projectId: key.projectId }
}

async function receiveFromTunnel(services: IngestServices, request: IngestRequest): Promise<IngestAnswer> {
  if (request.method !== 'POST') return methodNotAllowed('POST')
  const address = parseTunnelAddress(request.query)
  const result =
    address === undefined
      ? { answer: malformedTunnelAddress }
      : await receiveAddressed(services, request, address)
  return countRejection(services, request, result)
}

/**
 * Everything except a malformed address is checked after the read: the time until a 403 must not reveal its
 * reason.
 */
async function receiveAddressed(
  services: IngestServices,
  request: IngestRequest,
  address: TunnelAddress,
): Promise<RequestResult> {
  const namedProject = findOwnProject(address)
  const overloaded = findOverloadAnswer(services)
  if (overloaded !== undefined) return { answer: openToAll(overloaded), namedProject }
  const body = await readBody(services, request)
  if (!body.ok) {
    const answer = bodyRejection(body)
    return { answer: body.status === 429 ? openToAll(answer) : answer, namedProject }
  }
  const parsed = parseEnvelope(body.bytes)
  if (!parsed.ok) return { answer: invalidEnvelope(parsed.problem), namedProject }
  const { envelope } = parsed
  const found = await findTunnelDestination(services, { ...request, address }, envelope.header)
  if (!found.ok) return { namedProject, ...found }
  const { destination, listedOrigin } = found
  const limited = findRateLimitedAnswer(services, request, destination.key)
  const authorized = { ...destination, envelope, bytes: body.bytes }
  // Clients of a tunnel are pages, see `isAnswerUnread`.
  const answer = limited ?? withoutBody(await receiveEnvelope(services, request, authorized), 200)
  return { answer: openTo(answer, listedOrigin), projectId: destination.key.projectId }
}

/**
 * Reads the body and waits for the end of this tick of the event loop, or of one of the next. Requests that
 * arrived together are processed together, while their code is in the processor's caches, instead of
 * alternating with reads from sockets: that takes a fifth less CPU at 64 connections. Under overload it does
 * not wait, because admission measures the processing.
 */
async function readBody(
  { admission, tickQueue }: IngestServices,
  request: IngestRequest,
): Promise<BodyResult> {
  const body = await request.readBody()
  if (body.ok && !admission.isOverloaded) await tickQueue.endOfTick()
  return body
}

function bodyRejection(body: Extract<BodyResult, { ok: false }>): IngestAnswer {
  if (body.reason === 'overload')
    return { ...tryLater(body.problem), rejection: { outcome: 'rate_limited', reason: body.reason } }
  const answer = rejectWhole(body.reason, body.status, body.problem)
  return body.headers === undefined ? answer : { ...answer, headers: body.headers }
}
