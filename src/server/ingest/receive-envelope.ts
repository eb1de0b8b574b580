import { randomBytes } from 'node:crypto'
import { parseEnvelope, type Envelope } from '#protocol/envelope.ts'
import { limitItems } from '#server/rate-limit/limit-items.ts'
import type { RequestLimits } from '#server/rate-limit/request-limits.ts'
import type { Services } from '#server/services.ts'
import type { OutcomeCount } from '#server/store/event-record.ts'
import { defaultProjectSettings } from '#server/store/project-settings.ts'
import type { ProjectKey } from '#server/store/projects.ts'
import { compressAttachments } from './compress-attachments.ts'
import { toEnvelopeWork } from './envelope-work.ts'
import type { Reception } from './event-item.ts'
import { limitedAnswer, refusal, takenAnswer, withRateLimits, type IngestAnswer } from './ingest-answer.ts'
import type { IngestRequest } from './ingest-request.ts'

/** What taking an envelope in needs of the composition root. */
export type IngestServices = Pick<
  Services,
  | 'admission'
  | 'clock'
  | 'log'
  | 'committer'
  | 'projectKeys'
  | 'publicOrigin'
  | 'rateLimiter'
  | 'refusedCounts'
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
 * Takes in an envelope without HTTP: how Culvert stores its own errors. Answers as the HTTP endpoint would; rejects
 * with `StoreUnavailableError` when nothing could be stored.
 */
export async function receiveEnvelope(services: IngestServices, local: LocalEnvelope): Promise<IngestAnswer> {
  const { body, ...origin } = local
  const parsed = parseEnvelope(body)
  if (!parsed.ok) return invalidEnvelope(parsed.problem)
  const key = await services.projectKeys.findOfProject(local.projectId)
  const settings = key?.settings ?? defaultProjectSettings
  return commitEnvelope(services, parsed.envelope, { ...origin, settings, receivedAt: services.clock() })
}

/** Processes an envelope that came by HTTP; otherwise like `commitEnvelope`. */
export function commitFrom(
  services: IngestServices,
  request: IngestRequest,
  { key, envelope }: { key: ProjectKey; envelope: Envelope },
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

/** What is known about an envelope besides its bytes, and the limits it is under; what this process sends has none. */
interface EnvelopeOrigin extends Reception {
  requestLimits?: RequestLimits
}

/**
 * Processes an envelope and answers once all of it is on disk. What is over a limit is left out, counted, and told with
 * the answer. Rejects with `StoreUnavailableError`.
 */
async function commitEnvelope(
  services: IngestServices,
  envelope: Envelope,
  { requestLimits, ...reception }: EnvelopeOrigin,
): Promise<IngestAnswer> {
  if (requestLimits === undefined) return commitItems(services, envelope, { reception })
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
    return limitedAnswer(requestLimits.listInForce())
  }
  const answer = await commitItems(
    services,
    { ...envelope, items: kept },
    { reception, counts, requestLimits },
  )
  return withRateLimits(answer, requestLimits.listInForce())
}

interface ItemsOrigin {
  reception: Reception
  /** Of the items left out. */
  counts?: readonly OutcomeCount[]
  requestLimits?: RequestLimits
}

async function commitItems(
  services: IngestServices,
  envelope: Envelope,
  { reception, counts = [], requestLimits }: ItemsOrigin,
): Promise<IngestAnswer> {
  const { work, eventId, isEventTooLarge, attachments } = toEnvelopeWork(envelope, {
    ...reception,
    createEventId,
    onFailure(itemType, thrown) {
      services.log.error(
        { err: thrown, projectId: reception.projectId, itemType },
        'item became a dead letter',
      )
    },
  })
  for (const { outcome, category, quantity } of work.outcomes) {
    if (outcome === 'filtered') requestLimits?.giveBack({ category, quantity, itemCount: quantity })
  }
  work.outcomes.push(...counts)
  if (attachments.length > 0) work.attachments = await compressAttachments(attachments)
  if (work.events.length + work.outcomes.length + work.deadLetters.length + attachments.length > 0)
    await services.committer.commit(work)
  return isEventTooLarge ? tooLargeEvent : takenAnswer(eventId)
}

/** The refusal of an envelope whose framing is broken, or whose header contradicts the request. */
export function invalidEnvelope(cause: string): IngestAnswer {
  return refusal(400, 'invalid event envelope', [cause])
}

function createEventId(): string {
  return randomBytes(16).toString('hex')
}
