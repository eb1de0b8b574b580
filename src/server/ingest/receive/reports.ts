import { rejectWhole, withoutBody, type IngestAnswer } from '#server/ingest/ingest-answer.ts'
import { mediaTypeOf, type IngestRequest } from '#server/ingest/ingest-request.ts'
import type { IngestServices } from '#server/ingest/ingest-services.ts'
import { queryValues } from '#server/ingest/query-values.ts'
import { receiveEnvelope, type AuthorizedBody } from './envelope.ts'

/** Content types of browser reports. HPKP has no content type (RFC 7469 §3). */
const reportTypes = new Set([
  'application/csp-report',
  'application/reports+json',
  'application/json',
  'application/expect-ct-report',
  'application/expect-ct-report+json',
  'application/expect-staple-report',
  'application/expect-staple-report+json',
])

/** True for a request with the `Content-Type` of a security report. */
export function hasReportType(request: IngestRequest): boolean {
  return reportTypes.has(mediaTypeOf(request))
}

/** The rejection of any other content type. */
export const unknownReportType = rejectWhole(
  'content_type',
  415,
  'security reports are application/csp-report, application/reports+json or application/json',
)

/**
 * Accepts browsers' reports about a site's security policies: one report, or a list. The URL contains the
 * site's release and environment. Browsers evaluate only the status, so the answer has no body.
 */
export async function receiveReports(
  services: IngestServices,
  request: IngestRequest,
  { key, bytes }: AuthorizedBody,
): Promise<IngestAnswer> {
  if (bytes.length === 0) return rejectWhole('no_data', 400, 'empty request body')
  const [release] = queryValues(request.query, 'sentry_release')
  const [environment] = queryValues(request.query, 'sentry_environment')
  const header = {
    type: 'raw_security',
    ...(release !== undefined && { sentry_release: release }),
    ...(environment !== undefined && { sentry_environment: environment }),
  }
  const envelope = { header: { raw: {} }, items: [{ type: 'raw_security', header, payload: bytes }] }
  return withoutBody(await receiveEnvelope(services, request, { key, envelope }), 200)
}
