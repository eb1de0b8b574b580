import { isJsonObject, type Json, type JsonObject } from './json.ts'

/** Subjects of browser reports: Content Security Policy, key pins, Certificate Transparency, OCSP staples. */
export const securityReportKinds = ['csp', 'hpkp', 'expectct', 'expectstaple'] as const
export type SecurityReportKind = (typeof securityReportKinds)[number]

/** A browser's report of a broken security rule, with Sentry's names for its fields. */
export interface SecurityReport {
  kind: SecurityReportKind
  /**
   * Field names have underscores instead of dashes and capitals; values are as sent, including unknown
   * fields.
   */
  data: JsonObject
  /** The page it happened on. */
  pageUrl?: string
  referrer?: string
  /** The reported host in lower case; for CSP the blocked host, if it is one. */
  host?: string
  /** Only in reports of the Reporting API. */
  userAgent?: string
  /** Milliseconds from the incident until the report was sent. */
  ageMs?: number
}

/** `security_report_type` is one of an unknown type, `security_report` one without its required fields. */
export type SecurityReportResult =
  | { ok: true; report: SecurityReport }
  | { ok: false; reason: 'security_report_type' | 'security_report' }

const unknownType: SecurityReportResult = { ok: false, reason: 'security_report_type' }
const unusable: SecurityReportResult = { ok: false, reason: 'security_report' }

/** The wrapper field of reports about certificates. HPKP has no wrapper, but this field (RFC 7469 §3). */
const certificateKinds = [
  ['expectct', 'expect-ct-report'],
  ['expectstaple', 'expect-staple-report'],
] as const

/**
 * Reads one security report as browsers send it: CSP for `report-uri` (`{"csp-report": …}`) and by the
 * Reporting API (`{"type": "csp-violation", "body": …}`), HPKP, Expect-CT and Expect-Staple. Never throws.
 */
export function parseSecurityReport(value: unknown): SecurityReportResult {
  if (!isJsonObject(value)) return unknownType
  if (value['csp-report'] !== undefined) return parseCsp(value['csp-report'], {})
  if (value['type'] === 'csp-violation') return parseCsp(value['body'], value)
  for (const [kind, key] of certificateKinds) {
    if (value[key] !== undefined) return parseCertificateReport(kind, value[key])
  }
  return value['known-pins'] === undefined ? unknownType : parseCertificateReport('hpkp', value)
}

/** The names of `report-uri` and the Reporting API that differ from Sentry's by more than dashes. */
const cspNames = new Map([
  ['blockedURL', 'blocked_uri'],
  ['columnNumber', 'column_number'],
  ['documentURL', 'document_uri'],
  ['effectiveDirective', 'effective_directive'],
  ['lineNumber', 'line_number'],
  ['originalPolicy', 'original_policy'],
  ['sample', 'script_sample'],
  ['scriptSample', 'script_sample'],
  ['sourceFile', 'source_file'],
  ['statusCode', 'status_code'],
  ['violatedDirective', 'violated_directive'],
])

/** `outer` is the Reporting API's object around the body. */
function parseCsp(body: Json | undefined, outer: JsonObject): SecurityReportResult {
  if (!isJsonObject(body)) return unusable
  const data = renameFields(body, (name) => cspNames.get(name))
  const directive = findDirective(data['effective_directive']) ?? findDirective(data['violated_directive'])
  if (directive === undefined) return unusable
  data['effective_directive'] = directive
  const pageUrl = nonEmptyText(data['document_uri']) ?? nonEmptyText(outer['url'])
  if (pageUrl !== undefined) data['document_uri'] = pageUrl
  const report: SecurityReport = { kind: 'csp', data }
  const referrer = nonEmptyText(data['referrer'])
  const host = findHost(data['blocked_uri'])
  const userAgent = nonEmptyText(outer['user_agent'])
  const ageMs = outer['age']
  if (pageUrl !== undefined) report.pageUrl = pageUrl
  if (referrer !== undefined) report.referrer = referrer
  if (host !== undefined) report.host = host
  if (userAgent !== undefined) report.userAgent = userAgent
  if (typeof ageMs === 'number' && ageMs >= 0) report.ageMs = ageMs
  return { ok: true, report }
}

/**
 * The name of a directive. Old browsers omit the effective directive, and some append the directive's sources
 * to the name.
 */
function findDirective(value: Json | undefined): string | undefined {
  if (typeof value !== 'string') return undefined
  return /^\s*([a-z][a-z-]{0,63})(?=\s|$)/i.exec(value)?.[1]?.toLowerCase()
}

function findHost(value: Json | undefined): string | undefined {
  if (typeof value !== 'string') return undefined
  return /^(?:https?|wss?):\/\/(?:[^/@?#]*@)?([^/:?#]+)/i.exec(value)?.[1]?.toLowerCase()
}

function parseCertificateReport(
  kind: Exclude<SecurityReportKind, 'csp'>,
  body: Json | undefined,
): SecurityReportResult {
  if (!isJsonObject(body)) return unusable
  const data = renameFields(body, () => undefined)
  const host = nonEmptyText(data['hostname'])?.toLowerCase()
  return host === undefined ? unusable : { ok: true, report: { kind, data, host } }
}

/** A copy with every field under Sentry's name; of two spellings of one field the first is used. */
function renameFields(source: JsonObject, rename: (name: string) => string | undefined): JsonObject {
  const data: JsonObject = {}
  for (const [name, value] of Object.entries(source)) {
    const newName = rename(name) ?? name.replaceAll('-', '_')
    if (newName === '__proto__' || Object.hasOwn(data, newName)) continue
    data[newName] = value
  }
  return data
}

function nonEmptyText(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}
