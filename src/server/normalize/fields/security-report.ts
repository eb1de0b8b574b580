import type { Event } from '#protocol/event.ts'
import { isJsonObject, type Json, type JsonObject } from '#protocol/json.ts'
import type { FieldReader } from '#server/normalize/field-reader.ts'
import { createLargeBudget } from '#server/normalize/free-form-json.ts'

/** Kinds of reports by the payload field that contains one; the second name is that of SDKs before 2014. */
const kinds = [
  ['csp', 'csp'],
  ['csp', 'sentry.interfaces.Csp'],
  ['hpkp', 'hpkp'],
  ['expectct', 'expectct'],
  ['expectstaple', 'expectstaple'],
] as const

/** Reads the security report in an event; undefined if it has none. */
export function readSecurityReport(event: FieldReader): Event['securityReport'] {
  for (const [kind, key] of kinds) {
    if (!isJsonObject(event.source[key])) continue
    const data = event.json(key, createLargeBudget())
    if (data !== undefined) return { kind, data }
  }
  return undefined
}

/** The directive of a CSP report, or the host of another report; undefined if it has neither. */
export function securityReportCulprit(report: Event['securityReport']): string | undefined {
  if (report === undefined) return undefined
  if (report.kind !== 'csp') return text(report.data['hostname']) || undefined
  return cspDirective(report.data) || undefined
}

/** The title of a security report, as in Sentry: `Blocked 'script' from 'evil.example'`. */
export function securityReportTitle(report: NonNullable<Event['securityReport']>): string {
  const { kind, data } = report
  return kind === 'csp' ? cspTitle(data) : `${failures[kind]} failed for '${text(data['hostname'])}'`
}

const failures = {
  hpkp: 'Public key pinning validation',
  expectct: 'Expect-CT',
  expectstaple: 'Expect-Staple',
}

/** Browsers' own reports use dashes or camel case; Sentry's payload uses underscores. */
function cspTitle(data: JsonObject): string {
  const { blocked_uri, blockedURL } = data
  const directive = cspDirective(data).replace(/-src(?:-elem|-attr)?$/, '')
  const blocked = blockedHost(text(blocked_uri ?? data['blocked-uri'] ?? blockedURL))
  if (blocked !== '') return `Blocked '${directive}' from '${blocked}'`
  if (directive !== 'script' && directive !== 'default') return `Blocked inline '${directive}'`
  return `Blocked unsafe (eval() or inline) '${directive}'`
}

/** The name of the effective directive; empty if the report has none. */
function cspDirective(data: JsonObject): string {
  const { effective_directive, effectiveDirective, violated_directive } = data
  const violated = text(violated_directive ?? data['violated-directive'])
  const effective = text(effective_directive ?? data['effective-directive'] ?? effectiveDirective)
  return effective || violated.split(' ', 1)[0] || ''
}

/** The blocked host; empty for inline code of the page. */
function blockedHost(uri: string): string {
  if (['', 'self', "'self'", 'inline', 'eval'].includes(uri)) return ''
  const match = /^([a-z][a-z\d+.-]*):(?:\/\/([^/?#]*))?/i.exec(uri)
  if (match === null) return uri.split(/[/?#]/, 1)[0] ?? ''
  return match[2] ?? `${match[1]}:`
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value.trim() : ''
}
