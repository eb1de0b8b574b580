import type { JsonObject } from '#protocol/json.ts'
import type { SecurityReport } from '#protocol/security-report.ts'
import { parseTimestamp } from '#protocol/timestamp.ts'
import { boundJsonObject, createLargeBudget } from '#server/normalize/free-form-json.ts'
import type { Reception } from './reception.ts'

/** The parameters of a report endpoint about the site. */
export interface ReportSource {
  release?: string
  environment?: string
}

/**
 * Converts a browser's report to the same event as Sentry's ingest: the report under its kind, the page as
 * the request, tags for search. From then on it is an ordinary event. Its size is limited, so that it can be
 * serialized.
 */
export function toSecurityEvent(
  report: SecurityReport,
  source: ReportSource,
  { receivedAt, userAgent }: Reception,
): JsonObject {
  const { kind, pageUrl, ageMs } = report
  const data = boundJsonObject(report.data, createLargeBudget())
  const occurredAt = ageMs === undefined ? parseTimestamp(data['date_time']) : receivedAt - ageMs
  const agent = report.userAgent ?? userAgent
  const headers = [
    ...(agent === undefined ? [] : [['User-Agent', agent]]),
    ...(report.referrer === undefined ? [] : [['Referer', report.referrer]]),
  ]
  return {
    // Only browsers send these reports, for any kind of violation.
    platform: 'javascript',
    logger: kind,
    ...(occurredAt !== undefined && { timestamp: occurredAt / 1000 }),
    ...(source.release !== undefined && { release: source.release }),
    ...(source.environment !== undefined && { environment: source.environment }),
    request: { ...(pageUrl !== undefined && { url: pageUrl }), headers },
    user: { ip_address: '{{auto}}' },
    tags: kind === 'csp' ? cspTags(report) : certificateTags(report),
    [kind]: data,
  }
}

function cspTags({ data, host }: SecurityReport): string[][] {
  const { blocked_uri: blocked, effective_directive: directive } = data
  return [
    ...(typeof directive === 'string' ? [['effective-directive', directive]] : []),
    ...(typeof blocked === 'string' ? [['blocked-uri', withoutDetails(blocked)]] : []),
    ...(host === undefined ? [] : [['blocked-host', host]]),
  ]
}

/** Without query, fragment and inline data, which differ each time and may contain private data. */
function withoutDetails(uri: string): string {
  return uri.replace(/^(data|blob|filesystem):.*$/is, '$1:').replace(/[?#].*$/s, '')
}

function certificateTags({ data, host }: SecurityReport): string[][] {
  const tags: string[][] = host === undefined ? [] : [['hostname', host]]
  for (const name of ['port', 'include_subdomains', 'failure_mode', 'cert_status', 'response_status']) {
    const value = data[name]
    if (typeof value === 'object' || value === undefined) continue
    tags.push([name.replaceAll('_', '-'), String(value)])
  }
  return tags
}
