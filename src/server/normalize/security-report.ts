import type { Event } from '#protocol/event.ts'
import { isJsonObject, type Json, type JsonObject } from '#protocol/json.ts'
import type { FieldReader } from './field-reader.ts'
import { createLargeBudget } from './free-form-json.ts'

/** Kinds of reports by the payload field that holds one; the second name is that of SDKs before 2014. */
const kinds = [
  ['csp', 'csp'],
  ['csp', 'sentry.interfaces.Csp'],
  ['hpkp', 'hpkp'],
  ['expectct', 'expectct'],
  ['expectstaple', 'expectstaple'],
] as const

/** Reads the security report in an event; undefined when it holds none. */
export function readSecurityReport(event: FieldReader): Event['securityReport'] {
  for (const [kind, key] of kinds) {
    if (!isJsonObject(event.source[key])) continue
    const data = event.json(key, createLargeBudget())
    if (data !== undefined) return { kind, data }
  }
  return undefined
}

/** What a security report is about, in Sentry's words: `Blocked 'script' from 'evil.example'`. */
export function securityReportTitle(report: { kind: string; data: JsonObject }): string {
  const host = text(report.data['hostname'])
  switch (report.kind) {
    case 'hpkp':
      return `Public key pinning validation failed for '${host}'`
    case 'expectct':
      return `Expect-CT failed for '${host}'`
    case 'expectstaple':
      return `Expect-Staple failed for '${host}'`
    default:
      return cspTitle(report.data)
  }
}

/** Browsers' own reports use dashes or camel case; Sentry's payload uses underscores. */
function cspTitle(data: JsonObject): string {
  const { effective_directive, effectiveDirective, violated_directive, blocked_uri, blockedURL } = data
  const violated = text(violated_directive ?? data['violated-directive'])
  const effective = text(effective_directive ?? data['effective-directive'] ?? effectiveDirective)
  const directive = (effective || violated.split(' ', 1)[0] || '').replace(/-src(?:-elem|-attr)?$/, '')
  const blocked = blockedHost(text(blocked_uri ?? data['blocked-uri'] ?? blockedURL))
  if (blocked !== '') return `Blocked '${directive}' from '${blocked}'`
  if (directive !== 'script' && directive !== 'default') return `Blocked inline '${directive}'`
  return `Blocked unsafe (eval() or inline) '${directive}'`
}

/** Empty for what the page itself holds. */
function blockedHost(uri: string): string {
  if (['', 'self', "'self'", 'inline', 'eval'].includes(uri)) return ''
  const match = /^([a-z][a-z\d+.-]*):(?:\/\/([^/?#]*))?/i.exec(uri)
  if (match === null) return uri.split(/[/?#]/, 1)[0] ?? ''
  return match[2] ?? `${match[1]}:`
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value.trim() : ''
}
