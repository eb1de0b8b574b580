import { isJsonObject, type JsonObject } from '#protocol/json.ts'
import type { FilterSubject } from './filter-subject.ts'
import { matchesOrigin, type OriginPattern } from './origin-pattern.ts'

/** The URL fields of a report: in `report-uri`, in older Sentry SDKs, and in the Reporting API. */
const addressFields = [
  ['blocked-uri', 'blocked_uri', 'blockedURL'],
  ['source-file', 'source_file', 'sourceFile'],
  ['document-uri', 'document_uri', 'documentURL'],
] as const

/** The wrapper object of a report's fields, if any. */
const wrappers = ['csp-report', 'csp', 'body'] as const

/** True for a CSP report whose blocked URL, source or page has an origin that the project ignores. */
export function isInvalidCsp(
  { type, securityReport }: FilterSubject,
  sources: readonly OriginPattern[],
): boolean {
  if (type !== 'csp' || sources.length === 0 || securityReport === undefined) return false
  const report = unwrap(securityReport.data)
  return addressFields.some((names) => {
    const address = names.map((name) => report[name]).find((value) => typeof value === 'string')
    return matchesOrigin(typeof address === 'string' ? address : undefined, sources)
  })
}

function unwrap(data: JsonObject): JsonObject {
  return wrappers.map((name) => data[name]).find(isJsonObject) ?? data
}
