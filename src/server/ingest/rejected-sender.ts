import type { Rejection } from '#protocol/rejection.ts'
import type { ProjectKey } from '#server/store/projects/projects.ts'
import { isAllowedOrigin } from './allowed-origin.ts'
import {
  limitedAnswer,
  overloadAnswer,
  rejectedAnswer,
  withRejection,
  type IngestAnswer,
} from './ingest-answer.ts'
import type { IngestRequest } from './ingest-request.ts'
import type { IngestServices } from './ingest-services.ts'

const foreignOrigin = withRejection(
  rejectedAnswer(403, 'event submission rejected with_reason: Cors'),
  'cors',
  'the origin of the page is not allowed',
)

const overloaded: Rejection = { outcome: 'rate_limited', reason: 'overload' }

/** The answer for a page whose origin the project does not allow; undefined for any other sender. */
export function findForeignOriginAnswer(
  { header }: IngestRequest,
  key: ProjectKey,
): IngestAnswer | undefined {
  return isAllowedOrigin(key.settings.allowedOrigins, header) ? undefined : foreignOrigin
}

/** The response to a client that is rate-limited in all categories; undefined if it is not. */
export function findRateLimitedAnswer(
  services: IngestServices,
  { clientAddress }: IngestRequest,
  key: ProjectKey,
): IngestAnswer | undefined {
  const requestLimits = services.rateLimiter.limitsFor({ key, clientAddress })
  const reason = requestLimits?.findReachedLimit()
  if (requestLimits === undefined || reason === undefined) return undefined
  return { ...limitedAnswer(requestLimits.listActive()), rejection: { outcome: 'rate_limited', reason } }
}

/** The response under overload; undefined otherwise. */
export function findOverloadAnswer(services: IngestServices): IngestAnswer | undefined {
  return services.admission.admit() ? undefined : rejectForOverload(services)
}

/** The same for a request with only traces, which are dropped first. */
export function findTraceOverloadAnswer(services: IngestServices): IngestAnswer | undefined {
  return services.admission.admitTraces() ? findOverloadAnswer(services) : rejectForOverload(services)
}

function rejectForOverload(services: IngestServices): IngestAnswer {
  return { ...overloadAnswer(services.clock()), rejection: overloaded }
}
