import { randomBytes } from 'node:crypto'

const oneYearSeconds = 31_536_000

/** Creates a CSP nonce: 128 random bits in base64. */
export function createNonce(): string {
  return randomBytes(16).toString('base64')
}

/**
 * Sets the security headers of every console page. `strict-dynamic` lets Start's entry script load its
 * chunks; there is no `unsafe-inline`, so a `style` attribute has no effect. `url` is the request's.
 */
export function setSecurityHeaders(headers: Headers, { nonce, url }: { nonce: string; url: string }): void {
  headers.set('x-content-type-options', 'nosniff')
  headers.set('referrer-policy', 'same-origin')
  headers.set('cross-origin-opener-policy', 'same-origin')
  headers.set('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()')
  if (!headers.has('cross-origin-resource-policy')) headers.set('cross-origin-resource-policy', 'same-origin')
  if (url.startsWith('https:')) headers.set('strict-transport-security', `max-age=${oneYearSeconds}`)
  // Answers contain data of users' errors; cacheable ones set their own header.
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
  if (!headers.get('content-type')?.startsWith('text/html')) return
  // A public page without scripts has its own policy, and is cacheable.
  if (headers.has('content-security-policy')) return
  headers.set('content-security-policy', contentSecurityPolicy(nonce))
  // A page with a nonce, and with users' data, must not be in a shared cache.
  headers.set('cache-control', 'no-store')
}

function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'none'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ')
}
