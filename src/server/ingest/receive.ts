import { parseEnvelope, type Envelope } from '#protocol/envelope.ts'
import { isJsonObject } from '#protocol/json.ts'
import { parsePayloadJson } from '#protocol/payload-json.ts'
import type { ProjectKey } from '#server/store/projects.ts'
import { findUnavailability } from '#server/store/store-error.ts'
import {
  authorize,
  findDsnMismatch,
  missingAuthorization,
  parseCredentials,
  parseEnvelopeDsn,
  type ProjectResult,
} from './authenticate.ts'
import {
  limitedAnswer,
  methodNotAllowed,
  refusal,
  takenAnswer,
  tryLater,
  type IngestAnswer,
} from './ingest-answer.ts'
import { toLimitedCount } from './limited-count.ts'
import { commitEnvelope, invalidEnvelope, type IngestServices } from './receive-envelope.ts'
import { parseStoreBody } from './store-body.ts'
import { authorizeTunnel } from './tunnel.ts'

/** Which endpoint a path names. `project` is the path's own text; absent on the legacy `/api/store/`. */
export type IngestTarget = { route: 'envelope' | 'store'; project?: string } | { route: 'tunnel' }

/** A whole body, decoded, or what its request is refused with. `headers` tell the client more. */
export type BodyResult =
  | { ok: true; bytes: Buffer }
  | { ok: false; status: number; problem: string; headers?: Readonly<Record<string, string>> }

/** A request as `receive` sees it, whatever transport it came by. */
export interface IngestRequest {
  method: string
  target: IngestTarget
  /** Without the question mark, still percent-encoded. */
  query: string
  /** By lower-case name. */
  header: (name: string) => string | undefined
  /** A valid IP address, or absent. */
  clientAddress?: string
  /** Called at most once, and only after what can be checked without the body was in order. */
  readBody: () => Promise<BodyResult>
}

/**
 * Takes in what an SDK sends: authenticates, reads, parses and processes it, and answers 200 after it is on disk. Never
 * rejects: every expected end is an answer, and a failure of ours is a 500 whose cause is in the log only.
 */
export async function receive(services: IngestServices, request: IngestRequest): Promise<IngestAnswer> {
  try {
    if (request.target.route === 'tunnel') return await receiveFromTunnel(services, request)
    if (request.method === 'OPTIONS') return takenAnswer(undefined)
    if (request.method !== 'POST') return methodNotAllowed('POST, OPTIONS')
    return await receiveFromSdk(services, request, request.target)
  } catch (thrown) {
    if (findUnavailability(thrown) !== undefined) {
      // The log has it from the store, once: a line for each request would only fill the disk further.
      return tryLater('the store cannot be written at the moment')
    }
    services.log.error({ err: thrown }, 'ingest request failed')
    return refusal(500, 'internal error')
  }
}

type SdkTarget = Exclude<IngestTarget, { route: 'tunnel' }>

async function receiveFromSdk(
  services: IngestServices,
  request: IngestRequest,
  target: SdkTarget,
): Promise<IngestAnswer> {
  const parsed = parseCredentials(request.query, request.header)
  if (!parsed.ok) return parsed.answer
  const { publicKey } = parsed.credentials
  if (publicKey === undefined) {
    return target.route === 'store'
      ? missingAuthorization
      : receiveSelfAuthenticated(services, request, target)
  }
  // Before the body is read: nobody uploads megabytes to learn that the key is wrong.
  const project = await authorize(services.projectKeys, publicKey, target.project)
  if (!project.ok) return project.answer
  const held = findHeldAnswer(services, request, project.key)
  if (held !== undefined) return held
  const body = await request.readBody()
  if (!body.ok) return bodyRefusal(body)
  const isStoreBody = target.route === 'store' && !isEnvelopeType(request.header('content-type'))
  return isStoreBody
    ? receiveStoreBody(services, request, { key: project.key, bytes: body.bytes })
    : receiveEnvelopeBody(services, request, { key: project.key, bytes: body.bytes })
}

interface AuthorizedBody {
  key: ProjectKey
  bytes: Buffer
}

async function receiveEnvelopeBody(
  services: IngestServices,
  request: IngestRequest,
  { key, bytes }: AuthorizedBody,
): Promise<IngestAnswer> {
  const parsed = parseEnvelope(bytes)
  if (!parsed.ok) return invalidEnvelope(parsed.problem)
  const mismatch = findDsnMismatch(parsed.envelope.header, key)
  if (mismatch !== undefined) return invalidEnvelope(mismatch)
  return commitFrom(services, request, { key, envelope: parsed.envelope })
}

async function receiveStoreBody(
  services: IngestServices,
  request: IngestRequest,
  { key, bytes }: AuthorizedBody,
): Promise<IngestAnswer> {
  const parsed = parseStoreBody(bytes)
  if (!parsed.ok) return refusal(parsed.status, parsed.problem)
  // Unlike an envelope, this endpoint has nothing but the event: broken JSON is the sender's error, and told so.
  const json = parsePayloadJson(parsed.item.payload)
  if (!json.ok || !isJsonObject(json.value)) return refusal(400, 'invalid JSON data')
  return commitFrom(services, request, { key, envelope: { header: { raw: {} }, items: [parsed.item] } })
}

/** An envelope whose header carries the DSN instead of the request carrying a key. */
async function receiveSelfAuthenticated(
  services: IngestServices,
  request: IngestRequest,
  target: SdkTarget,
): Promise<IngestAnswer> {
  const body = await request.readBody()
  if (!body.ok) return bodyRefusal(body)
  const parsed = parseEnvelope(body.bytes)
  if (!parsed.ok) return invalidEnvelope(parsed.problem)
  const dsn = parseEnvelopeDsn(parsed.envelope.header)
  if (!dsn.ok) return dsn.answer
  if (Number(target.project) !== Number(dsn.projectId)) return invalidEnvelope('project id header mismatch')
  const project = await authorize(services.projectKeys, dsn.publicKey, target.project)
  if (!project.ok) return project.answer
  return commitFrom(services, request, { key: project.key, envelope: parsed.envelope })
}

async function receiveFromTunnel(services: IngestServices, request: IngestRequest): Promise<IngestAnswer> {
  if (request.method !== 'POST') return methodNotAllowed('POST')
  const destination = await authorizeTunnel(services, request)
  if (!destination.ok) return destination.answer
  const body = await request.readBody()
  if (!body.ok) return bodyRefusal(body)
  const parsed = parseEnvelope(body.bytes)
  if (!parsed.ok) return invalidEnvelope(parsed.problem)
  const project: ProjectResult = await destination.authorize(parsed.envelope.header)
  if (!project.ok) return project.answer
  return commitFrom(services, request, { key: project.key, envelope: parsed.envelope })
}

interface AuthorizedEnvelope {
  key: ProjectKey
  envelope: Envelope
}

/**
 * The answer for a sender that has been told to wait with everything; undefined when there is no such. Its body is not
 * read, because a flood must be cheap: what is in it is counted as one item of an unknown category.
 */
function findHeldAnswer(
  services: IngestServices,
  { clientAddress }: IngestRequest,
  key: ProjectKey,
): IngestAnswer | undefined {
  const requestLimits = services.rateLimiter.limitsFor({ key, clientAddress })
  const reason = requestLimits?.findHold()
  if (requestLimits === undefined || reason === undefined) return undefined
  const { projectId } = key
  const count = { category: 'unknown', quantity: 1, reason }
  services.refusedCounts.add(toLimitedCount(count, { projectId, receivedAt: services.clock() }))
  return limitedAnswer(requestLimits.listInForce())
}

function commitFrom(
  services: IngestServices,
  request: IngestRequest,
  { key, envelope }: AuthorizedEnvelope,
): Promise<IngestAnswer> {
  const { clientAddress } = request
  const requestLimits = services.rateLimiter.limitsFor({ key, clientAddress })
  const userAgent = request.header('user-agent')
  return commitEnvelope(services, envelope, {
    projectId: key.projectId,
    settings: key.settings,
    receivedAt: services.clock(),
    ...(clientAddress !== undefined && { clientAddress }),
    ...(userAgent !== undefined && { userAgent }),
    ...(requestLimits !== undefined && { requestLimits }),
  })
}

function bodyRefusal(body: Extract<BodyResult, { ok: false }>): IngestAnswer {
  if (body.status === 429) return tryLater(body.problem)
  const answer = refusal(body.status, body.problem)
  return body.headers === undefined ? answer : { ...answer, headers: body.headers }
}

function isEnvelopeType(contentType: string | undefined): boolean {
  return contentType?.toLowerCase().startsWith('application/x-sentry-envelope') ?? false
}
