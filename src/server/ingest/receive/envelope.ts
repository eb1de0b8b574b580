import { randomBytes } from 'node:crypto'
import { parseEnvelope, type Envelope } from '#protocol/envelope.ts'
import { toForwardOnlyWork, toOutboxEntries, wasForwarded } from '#server/ingest/forwarded-envelope.ts'
import {
  limitedAnswer,
  refusal,
  takenAnswer,
  withRateLimits,
  withRejection,
  type IngestAnswer,
} from '#server/ingest/ingest-answer.ts'
import type { IngestRequest } from '#server/ingest/ingest-request.ts'
import { compressAttachments } from '#server/ingest/items/compress-attachments.ts'
import type { Reception } from '#server/ingest/items/event.ts'
import { findMappedPlaces } from '#server/ingest/items/mapped-places.ts'
import type { EnvelopeWork } from '#server/ingest/work-builder.ts'
import { limitItems } from '#server/rate-limit/limit-items.ts'
import type { RequestLimits } from '#server/rate-limit/request-limits.ts'
import type { Services } from '#server/services.ts'
import type { CommitWork, OutcomeCount } from '#server/store/events/record.ts'
import type { ProjectKey } from '#server/store/projects/projects.ts'
import { defaultProjectSettings } from '#server/store/projects/settings.ts'
import type { Upstream } from '#server/store/upstreams/upstreams.ts'

/** What taking an envelope in needs of the composition root. */
export type IngestServices = Pick<
  Services,
  | 'admission'
  | 'clock'
  | 'log'
  | 'committer'
  | 'forwarder'
  | 'ingestMemory'
  | 'projectKeys'
  | 'publicOrigin'
  | 'rateLimiter'
  | 'refusedCounts'
  | 'sliceQueue'
  | 'sourceMaps'
  | 'tickQueue'
>

/** An envelope that needs no authentication, because it comes from this process. */
export interface LocalEnvelope {
  projectId: number
  body: Uint8Array
  clientAddress?: string
}

/** The body of a request whose key may send to the project. */
export interface AuthorizedBody {
  key: ProjectKey
  bytes: Buffer
}

const tooLargeEvent = refusal(413, 'event exceeded size limits')

/**
 * Takes in an envelope without HTTP: how Culvert stores its own errors. Answers as the HTTP endpoint would;
 * rejects with `StoreUnavailableError` when nothing could be stored.
 */
export async function receiveEnvelope(services: IngestServices, local: LocalEnvelope): Promise<IngestAnswer> {
  const { body, ...origin } = local
  const parsed = parseEnvelope(body)
  if (!parsed.ok) return invalidEnvelope(parsed.problem)
  const key = await services.projectKeys.findOfProject(local.projectId)
  const { ingestMemory: memory } = services
  const rules = memory.rulesOf(key?.settings ?? defaultProjectSettings)
  const receivedAt = services.clock()
  return commitEnvelope(services, parsed.envelope, { ...origin, rules, memory: memory.events, receivedAt })
}

/** What came by HTTP and may be taken in. */
export interface AuthorizedEnvelope {
  key: ProjectKey
  envelope: Envelope
  /** The envelope as it came; absent where an endpoint made it of something else. */
  bytes?: Uint8Array
  /** The upstream whose address the sender used. */
  upstreamId?: string
}

/** Processes an envelope that came by HTTP; otherwise like `commitEnvelope`. */
export function commitFrom(
  services: IngestServices,
  request: IngestRequest,
  authorized: AuthorizedEnvelope,
): Promise<IngestAnswer> {
  const { key, envelope } = authorized
  const { clientAddress } = request
  const requestLimits = services.rateLimiter.limitsFor({ key, clientAddress })
  const userAgent = request.header('user-agent')
  const forwarding = toForwarding(request, authorized)
  const committed = commitEnvelope(services, envelope, {
    projectId: key.projectId,
    rules: services.ingestMemory.rulesOf(key.settings),
    memory: services.ingestMemory.events,
    receivedAt: services.clock(),
    ...(clientAddress !== undefined && { clientAddress }),
    ...(userAgent !== undefined && { userAgent }),
    ...(requestLimits !== undefined && { requestLimits }),
    ...(forwarding !== undefined && { forwarding }),
  })
  if (requestLimits === undefined && forwarding === undefined) return committed
  return committed.then((answer) => {
    const held = forwarding?.told.flatMap((upstreamId) => services.forwarder.listHeld(upstreamId)) ?? []
    return withRateLimits(answer, [...(requestLimits?.listInForce() ?? []), ...held])
  })
}

/** How an envelope is sent on. */
interface Forwarding {
  upstreams: readonly Upstream[]
  /** Of the whole envelope. */
  bytes?: Uint8Array
  isStoredHere: boolean
  /** Upstreams whose limits the sender is told. */
  told: readonly string[]
}

/**
 * Limits of an upstream are told to whom they concern: to who used its address, and to everybody where
 * nothing but that one upstream takes what comes. Told to others, they would cost what is stored here.
 */
function toForwarding(
  { header }: IngestRequest,
  { key, bytes, upstreamId }: AuthorizedEnvelope,
): Forwarding | undefined {
  const upstreams = key.upstreams.filter(({ isRetired }) => !isRetired)
  const [first, second] = upstreams
  if (first === undefined || wasForwarded(header)) return undefined
  const { isStoredHere } = key.settings.forwarding
  const only = isStoredHere || second !== undefined ? [] : [first.upstreamId]
  return {
    upstreams,
    isStoredHere,
    ...(bytes !== undefined && { bytes }),
    told: upstreamId === undefined ? only : [upstreamId],
  }
}

/**
 * What is known about an envelope besides its bytes, and the limits it is under; what this process sends has
 * none.
 */
interface EnvelopeOrigin extends Reception {
  requestLimits?: RequestLimits
  forwarding?: Forwarding
}

/**
 * Processes an envelope and answers once all of it is on disk. What is over a limit is left out, counted, and
 * told with the answer. Rejects with `StoreUnavailableError`.
 */
function commitEnvelope(
  services: IngestServices,
  envelope: Envelope,
  { requestLimits, forwarding, ...reception }: EnvelopeOrigin,
): Promise<IngestAnswer> {
  const sent = { reception, ...(forwarding !== undefined && { forwarding }) }
  if (requestLimits === undefined) return commitItems(services, envelope, sent)
  const { kept, limited } = limitItems(envelope.items, (question) => requestLimits.take(question))
  const { projectId, receivedAt: at } = reception
  const counts = limited.map(({ category, quantity, reason }): OutcomeCount => ({
    projectId,
    category,
    outcome: 'rate_limited',
    reason,
    quantity,
    at,
  }))
  if (kept.length === 0 && limited.length > 0) {
    for (const count of counts) services.refusedCounts.add(count)
    return Promise.resolve(limitedAnswer(requestLimits.listInForce()))
  }
  return commitItems(services, { ...envelope, items: kept }, { ...sent, counts, requestLimits })
}

interface ItemsOrigin {
  reception: Reception
  forwarding?: Forwarding
  /** Of the items left out. */
  counts?: readonly OutcomeCount[]
  requestLimits?: RequestLimits
}

async function commitItems(
  services: IngestServices,
  envelope: Envelope,
  { reception, forwarding, counts = [], requestLimits }: ItemsOrigin,
): Promise<IngestAnswer> {
  // Nobody but a project with source maps waits here.
  const mappedPlaces = services.sourceMaps.hasMaps(reception.projectId)
    ? await findMappedPlaces(services, envelope, reception)
    : undefined
  const mapped = mappedPlaces === undefined ? reception : { ...reception, mappedPlaces }
  const { work, eventId, isEventTooLarge, attachments } =
    forwarding?.isStoredHere === false
      ? toForwardOnlyWork(envelope, forwarding.upstreams, { ...reception, createEventId })
      : await toStoredWork(services, envelope, mapped)
  for (const { outcome, category, quantity } of work.outcomes) {
    if (outcome === 'filtered') requestLimits?.giveBack({ category, quantity, itemCount: quantity })
  }
  work.outcomes.push(...counts)
  if (attachments.length > 0) work.attachments = await compressAttachments(attachments)
  if (forwarding !== undefined && !isEventTooLarge) {
    const bytes = counts.length === 0 ? forwarding.bytes : undefined
    const forwarded = {
      envelope,
      ...(bytes !== undefined && { bytes }),
      ...(eventId !== undefined && { eventId }),
    }
    work.outbox = toOutboxEntries(forwarding.upstreams, forwarded, reception)
  }
  if (hasSomething(work)) await services.committer.commit(work)
  if (work.outbox !== undefined && work.outbox.length > 0) services.forwarder.wake()
  return isEventTooLarge ? tooLargeEvent : takenAnswer(eventId)
}

function toStoredWork(
  { log, admission, sliceQueue }: IngestServices,
  envelope: Envelope,
  reception: Reception,
): Promise<EnvelopeWork> {
  const { projectId } = reception
  const onFailure = (itemType: string, thrown: unknown) =>
    log.error({ err: thrown, projectId, itemType }, 'item became a dead letter')
  return sliceQueue.process(envelope, { ...reception, createEventId, onFailure }, admission)
}

function hasSomething({ events, outcomes, deadLetters, attachments, sessions, outbox }: CommitWork): boolean {
  return [events, outcomes, deadLetters, attachments, sessions, outbox].some(
    (part) => part !== undefined && part.length > 0,
  )
}

/** The refusal of an envelope whose framing is broken, or whose header contradicts the request. */
export function invalidEnvelope(cause: string): IngestAnswer {
  return withRejection(refusal(400, 'invalid event envelope', [cause]), 'invalid_envelope', cause)
}

function createEventId(): string {
  return randomBytes(16).toString('hex')
}
