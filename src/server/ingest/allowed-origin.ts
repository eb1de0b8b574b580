import { matchesOrigin, parseOriginPattern } from '#server/filter/origin-pattern.ts'

/**
 * True when a project takes what a page sends. The page is the request's `Origin`, or its `Referer`; what
 * comes from no web page (a server, an application, a browser extension) may always send. With no pattern no
 * page may.
 */
export function isAllowedOrigin(
  allowed: readonly string[],
  header: (name: string) => string | undefined,
): boolean {
  // The default, without reading an address.
  if (allowed[0] === '*') return true
  const page = findPageOrigin(header('origin')) ?? findPageOrigin(header('referer'))
  return page === undefined || matchesOrigin(page, allowed.map(parseOriginPattern))
}

function findPageOrigin(address: string | undefined): string | undefined {
  const url = address === undefined ? null : URL.parse(address)
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.origin : undefined
}
