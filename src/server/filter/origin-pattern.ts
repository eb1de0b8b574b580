/** Required scheme, host and port of a URL, in lower case; absent fields match any value. */
export interface OriginPattern {
  scheme?: string
  /** `example.com`, or `*.example.com` for it and its subdomains. */
  domain?: string
  port?: string
}

/** True for a text that can be an origin pattern: one word. */
export function isOriginPattern(text: string): boolean {
  return /^[^\s,]{1,253}$/.test(text)
}

/**
 * Parses an origin pattern in Sentry's syntax: `*`, `example.com`, `*.example.com`,
 * `https://example.com:8443`, `chrome-extension://*`, `*:8000`. A path is ignored. URLs are parsed by the
 * same rules, so that `about` or `inline`, which browsers report as blocked URLs, are hosts.
 */
export function parseOriginPattern(text: string): OriginPattern {
  const lower = text.trim().toLowerCase()
  const schemeEnd = lower.indexOf('://')
  const rest = schemeEnd === -1 ? lower : lower.slice(schemeEnd + 3)
  const pathStart = rest.indexOf('/')
  const authority = pathStart === -1 ? rest : rest.slice(0, pathStart)
  const portStart = authority.indexOf(':', authority.startsWith('[') ? authority.indexOf(']') : 0)
  const pattern: OriginPattern = {}
  const scheme = schemeEnd === -1 ? '*' : lower.slice(0, schemeEnd)
  const domain = portStart === -1 ? authority : authority.slice(0, portStart)
  const port = portStart === -1 ? '*' : authority.slice(portStart + 1)
  if (scheme !== '*') pattern.scheme = scheme
  if (domain !== '*') pattern.domain = domain
  if (port !== '*') pattern.port = port
  return pattern
}

/**
 * True if the URL matches one of the patterns. A missing URL matches only the pattern for everything. Used
 * for the sources of CSP reports and the allowed domains of a project.
 */
export function matchesOrigin(address: string | undefined, patterns: readonly OriginPattern[]): boolean {
  if (patterns.some(isAnything)) return true
  if (address === undefined || patterns.length === 0) return false
  const origin = parseOriginPattern(address)
  return patterns.some((pattern) => fits(origin, pattern))
}

function isAnything({ scheme, domain, port }: OriginPattern): boolean {
  return scheme === undefined && domain === undefined && port === undefined
}

function fits(origin: OriginPattern, pattern: OriginPattern): boolean {
  if (pattern.scheme !== undefined && pattern.scheme !== origin.scheme) return false
  if (pattern.port !== undefined && pattern.port !== origin.port) return false
  return pattern.domain === undefined || fitsDomain(origin.domain, pattern.domain)
}

function fitsDomain(domain: string | undefined, pattern: string): boolean {
  if (domain === undefined) return false
  if (domain === pattern) return true
  if (!pattern.startsWith('*')) return false
  return domain.endsWith(pattern.slice(1)) || (pattern.startsWith('*.') && domain === pattern.slice(2))
}
