import { parseEnvelope, type Envelope } from '#protocol/envelope.ts'
import { findDsnMismatch } from '#server/ingest/authenticate.ts'
import { findForwarding } from '#server/ingest/forwarding.ts'
import { rejectedAnswer, withRejection, type IngestAnswer } from '#server/ingest/ingest-answer.ts'
import { ingestEnvelope, type LeftOutCount } from '#server/ingest/ingest-envelope.ts'
import type { IngestRequest } from '#server/ingest/ingest-request.ts'
import type { IngestServices } from '#server/ingest/ingest-services.ts'
import type { ProjectKey } from '#server/store/projects/projects.ts'
import { defaultProjectSettings } from '#server/store/projects/settings.ts'

/** The body of a request whose key may send to the project. */
export interface AuthorizedBody {
  key: ProjectKey
  bytes: Buffer
}

/** Parses the body of a request as an envelope and ingests it. */
export function receiveEnvelopeBody(
  services: IngestServices,
  request: IngestRequest,
  { key, bytes }: AuthorizedBody,
): IngestAnswer | Promise<IngestAnswer> {
  const parsed = parseEnvelope(bytes)
  if (!parsed.ok) return invalidEnvelope(parsed.problem)
  const mismatch = findDsnMismatch(parsed.envelope.header, key)
  if (mismatch !== undefined) return invalidEnvelope(mismatch)
  return receiveEnvelope(services, request, { key, envelope: parsed.envelope, bytes })
}

/** An envelope whose sender may send to the project. */
export interface AuthorizedEnvelope {
  key: ProjectKey
  envelope: Envelope
  /** The bytes as received; absent if an endpoint created the envelope. */
  bytes?: Uint8Array
  /** The upstream that the sender addressed. */
  upstreamId?: string
  /** Maximum bytes of spans that are parsed; by default `limits.spanItemBytes`. */
  spanBytes?: number
  /** True for the spans of an OTLP request. */
  isExport?: true
  /** Counts of invalid data of the request, which is not in the envelope. */
  leftOut?: readonly LeftOutCount[]
}

/** Ingests an envelope that was received by HTTP. Rejects with `StoreUnavailableError`. */
export async function receiveEnvelope(
  services: IngestServices,
  { clientAddress, header }: IngestRequest,
  { key, envelope, spanBytes, isExport, leftOut, ...origin }: AuthorizedEnvelope,
): Promise<IngestAnswer> {
  const userAgent = header('user-agent')
  const answer = await ingestEnvelope(services, {
    envelope,
    reception: {
      projectId: key.projectId,
      rules: services.ingestState.rulesOf(key.settings),
      cache: services.ingestState.events,
      problemPace: services.ingestState.problemPace,
      pageNames: services.ingestState.pageNames,
      receivedAt: services.clock(),
      clientAddress,
      userAgent,
      spanBytes,
    },
    isExport,
    leftOut,
    requestLimits: services.rateLimiter.limitsFor({ key, clientAddress }),
    forwarding: findForwarding({ header, key, ...origin }),
  })
  if (answer.status === 200) await services.projectKeys.noteUse(key)
  return answer
}

/** An envelope that needs no authentication, because this process sends it. */
export interface LocalEnvelope {
  projectId: number
  body: Uint8Array
  clientAddress?: string
}

/**
 * Ingests an envelope without HTTP, limits and forwarding: Culvert's own errors. Rejects with
 * `StoreUnavailableError`.
 */
export async function receiveLocalEnvelope(
  services: IngestServices,
  { body, ...origin }: LocalEnvelope,
): Promise<IngestAnswer> {
  const parsed = parseEnvelope(body)
  if (!parsed.ok) return invalidEnvelope(parsed.problem)
  const key = await services.projectKeys.findOfProject(origin.projectId)
  const { ingestState, clock } = services
  const rules = ingestState.rulesOf(key?.settings ?? defaultProjectSettings)
  const { events: cache, problemPace, pageNames } = ingestState
  const reception = { ...origin, rules, cache, problemPace, pageNames, receivedAt: clock() }
  return ingestEnvelope(services, { envelope: parsed.envelope, reception, isOwn: true })
}

/** The rejection of an envelope whose framing is invalid, or whose header contradicts the request. */
export function invalidEnvelope(cause: string): IngestAnswer {
  return withRejection(rejectedAnswer(400, 'invalid event envelope', [cause]), 'invalid_envelope', cause)
}
