import type { Event } from '#protocol/event.ts'
import type { JsonObject } from '#protocol/json.ts'

/**
 * The contribution of a browser's security report: the violated directive and the blocked source, but not the
 * page.
 */
export function securityReportParts(report: Event['securityReport']): string[] {
  if (report === undefined) return []
  return report.kind === 'csp' ? cspParts(report.data) : hostParts(report.kind, report.data)
}

/** HPKP, Expect-CT and Expect-Staple reports are about the certificates of one host. */
function hostParts(kind: string, data: JsonObject): string[] {
  const host = readText(data, ['hostname'])
  return host === '' ? [] : [kind, `host ${host.toLowerCase()}`]
}

function cspParts(data: JsonObject): string[] {
  const violated = readText(data, ['violated_directive', 'violated-directive', 'violatedDirective'])
  const effective = readText(data, ['effective_directive', 'effective-directive', 'effectiveDirective'])
  const directive = (effective || violated).trim().split(/\s/, 1)[0] ?? ''
  const blocked = readText(data, ['blocked_uri', 'blocked-uri', 'blockedURL', 'blockedURI'])
  if (directive === '' && blocked === '') return []
  return [
    `directive ${directive.toLowerCase()}`,
    `blocked ${blockedSource(blocked, violated, pageHost(data))}`,
  ]
}

function pageHost(data: JsonObject): string {
  return hostOf(readText(data, ['document_uri', 'document-uri', 'documentURL', 'documentURI']))
}

/**
 * The blocked source as it would be written in the policy: a host, a scheme, or a keyword. Browsers report
 * the page's own code as `self`, as an empty text, or by the page's host, and distinguish inline code from
 * eval by the violated directive.
 */
function blockedSource(blocked: string, violated: string, page: string): string {
  const source = blocked.trim().replace(/^'|'$/g, '').toLowerCase()
  const host = hostOf(source)
  if (source === '' || source === 'self' || (host !== '' && host === page)) {
    return /'unsafe-(?:inline|eval)'/.exec(violated)?.[0] ?? "'self'"
  }
  if (source === 'data' || source === 'blob') return `${source}:`
  const scheme = /^([a-z][a-z0-9+.-]*):/.exec(source)?.[1]
  if (scheme !== undefined && host === '') return `${scheme}:`
  return host || source.split('/', 1)[0] || source
}

/** Host of an absolute http or web socket URL, without port; empty for any other text. */
function hostOf(url: string): string {
  return /^(?:https?|wss?):\/\/(?:[^/@?#]*@)?([^/:?#]+)/i.exec(url)?.[1]?.toLowerCase() ?? ''
}

function readText(data: JsonObject, names: string[]): string {
  for (const name of names) {
    const value = data[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return ''
}
