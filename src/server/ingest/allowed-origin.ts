import { matchesOrigin, parseOriginPattern } from '#server/filter/origin-pattern.ts'

/**
 * True if a project accepts data from a web page. The page is the request's `Origin`, or its `Referer`.
 * Requests without either (from a server, an application, a browser extension) are always allowed. With an
 * empty pattern list every page is rejected.
 */
export function isAllowedOrigin(
  allowed: readonly string[],
  header: (name: string) => string | undefined,
): boolean {
  // The default, without parsing a URL.
  if (allowed[0] === '*') return true
  const page = findPageOrigin(header('origin')) ?? findPageOrigin(header('referer'))
  return page === undefined || matchesOrigin(page, allowed.map(parseOriginPattern))
}

function findPageOrigin(address: string | undefined): string | undefined {
  const url = address === undefined ? null : URL.parse(address)
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.origin : undefined
}
