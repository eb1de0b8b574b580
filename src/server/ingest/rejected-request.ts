import { parseAuthHeader } from '#protocol/auth.ts'
import { rejectionCategory } from '#protocol/rejection.ts'
import { builtInProjectId } from '#server/first-projects.ts'
import type { IngestServices } from '#server/ingest/ingest-services.ts'
import type { FilterSample } from '#server/store/ingest/records.ts'
import type { IngestAnswer } from './ingest-answer.ts'
import type { IngestRequest, IngestTarget } from './ingest-request.ts'
import { queryValues } from './query-values.ts'

/** The result of a request. */
export interface RequestResult {
  answer: IngestAnswer
  /** The project that the request was accepted for, or that its key belongs to. */
  projectId?: number | undefined
  /** The project as the request names it; by default the one in its path. */
  namedProject?: string | undefined
}

/**
 * Counts a request that was rejected as a whole, once, and returns its answer. It is counted for the project
 * in its path, or that of its key, or for Culvert's own project if this server has neither. Without I/O: the
 * counts are written later.
 */
export function countRejection(
  { rejectedCounts, projectKeys, clock }: IngestServices,
  request: IngestRequest,
  { answer, projectId, namedProject = findPathProject(request.target) }: RequestResult,
): IngestAnswer {
  const { rejection, status } = answer
  if (rejection === undefined) return answer
  const named = Number(namedProject)
  const countedFor = projectKeys.hasProject(named) ? named : (projectId ?? builtInProjectId)
  const at = clock()
  const { outcome, reason } = rejection
  const count = { projectId: countedFor, category: rejectionCategory, outcome, reason, quantity: 1, at }
  if (rejection.outcome === 'rate_limited') {
    const category = request.target.route === 'otlp-traces' ? 'span' : rejectionCategory
    rejectedCounts.add({ ...count, category })
    return answer
  }
  const title = `${status}: ${rejection.detail}`
  rejectedCounts.reject(count, title, () => toSample({ projectId: countedFor, reason, title, at }, request))
  return answer
}

function findPathProject(target: IngestTarget): string | undefined {
  return 'project' in target ? target.project : undefined
}

/** The sender's headers: no part of the body, no key, and only values of a known format. */
function toSample(
  { projectId, reason, title, at }: { projectId: number; reason: string; title: string; at: number },
  request: IngestRequest,
): FilterSample {
  const { header, target } = request
  const payload = {
    method: request.method,
    endpoint: target.route,
    project: known(/^\d{1,20}$/, findPathProject(target)),
    client: known(/^[\w.@/+-]{1,100}$/, findClient(request)),
    origin: findOrigin(header('origin')),
    content_type: known(/^[\w.+/-]{1,80}$/, header('content-type')?.split(';', 1)[0]?.trim()),
    content_encoding: known(/^[\w.-]{1,20}$/, header('content-encoding')?.trim()),
    content_length: known(/^\d{1,15}$/, header('content-length')),
  }
  return {
    projectId,
    reason,
    category: rejectionCategory,
    receivedAt: at,
    title,
    environment: '',
    payload: Buffer.from(JSON.stringify(payload)),
  }
}

function known(shape: RegExp, text: string | undefined): string | undefined {
  return text !== undefined && shape.test(text) ? text : undefined
}

function findClient({ query, header }: IngestRequest): string | undefined {
  const [inQuery] = queryValues(query, 'sentry_client')
  return inQuery ?? parseAuthHeader(header('x-sentry-auth') ?? '')?.client
}

function findOrigin(text: string | undefined): string | undefined {
  const origin = text === undefined || text.length > 200 ? undefined : URL.parse(text)?.origin
  return origin === 'null' ? undefined : origin
}
