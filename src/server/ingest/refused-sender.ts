import type { OutcomeKind } from '#protocol/outcome.ts'
import type { ProjectKey } from '#server/store/projects.ts'
import { isAllowedOrigin } from './allowed-origin.ts'
import { limitedAnswer, overloadAnswer, refusal, type IngestAnswer } from './ingest-answer.ts'
import type { IngestRequest } from './ingest-request.ts'
import type { IngestServices } from './receive-envelope.ts'

const foreignOrigin = refusal(403, 'event submission rejected with_reason: Cors')

/** The answer for a page whose origin the project does not allow; undefined for any other sender. */
export function findForeignOriginAnswer(
  services: IngestServices,
  { header }: IngestRequest,
  key: ProjectKey,
): IngestAnswer | undefined {
  if (isAllowedOrigin(key.settings.allowedOrigins, header)) return undefined
  countUnread(services, key, { outcome: 'invalid', reason: 'cors' })
  return foreignOrigin
}

/** The answer for a sender that has been told to wait with everything; undefined when there is no such. */
export function findHeldAnswer(
  services: IngestServices,
  { clientAddress }: IngestRequest,
  key: ProjectKey,
): IngestAnswer | undefined {
  const requestLimits = services.rateLimiter.limitsFor({ key, clientAddress })
  const reason = requestLimits?.findHold()
  if (requestLimits === undefined || reason === undefined) return undefined
  countUnread(services, key, { outcome: 'rate_limited', reason })
  return limitedAnswer(requestLimits.listInForce())
}

/** The answer while more comes than can be worked on; undefined otherwise. Counted where `key` is known without the body. */
export function findOverloadAnswer(services: IngestServices, key?: ProjectKey): IngestAnswer | undefined {
  if (services.admission.admit()) return undefined
  if (key !== undefined) countUnread(services, key, { outcome: 'rate_limited', reason: 'overload' })
  return overloadAnswer(services.clock())
}

/** What is refused unread, because a flood must be cheap, counts as one item of an unknown category. */
function countUnread(
  { refusedCounts, clock }: IngestServices,
  { projectId }: ProjectKey,
  end: { outcome: OutcomeKind; reason: string },
): void {
  refusedCounts.add({ projectId, category: 'unknown', ...end, quantity: 1, at: clock() })
}
