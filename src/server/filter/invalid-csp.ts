import { isJsonObject, type JsonObject } from '#protocol/json.ts'
import type { FilterSubject } from './filter-subject.ts'
import { matchesOrigin, type OriginPattern } from './origin-pattern.ts'

/**
 * The addresses of a report, in the spellings of `report-uri`, of older Sentry SDKs, and of the Reporting
 * API.
 */
const addressFields = [
  ['blocked-uri', 'blocked_uri', 'blockedURL'],
  ['source-file', 'source_file', 'sourceFile'],
  ['document-uri', 'document_uri', 'documentURL'],
] as const

/** The wrapper object of a report's fields, if any. */
const wrappers = ['csp-report', 'csp', 'body'] as const

/**
 * True for a CSP report of which the blocked address, the source or the page is of an origin the project
 * ignores.
 */
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
