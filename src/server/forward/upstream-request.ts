import type { StoredEnvelope } from '#server/store/upstreams/outbox.ts'
import type { Upstream } from '#server/store/upstreams/upstreams.ts'
import type { ConnectionTarget } from './connection.ts'

/** The URL of an upstream's requests, and the headers that all of them share. */
export interface UpstreamAddress {
  target: ConnectionTarget
  path: string
  /** Names and values, alternating. */
  headers: readonly string[]
}

/** Returns the URL and common headers of an upstream. */
export function toUpstreamAddress({ dsn, connect }: Pick<Upstream, 'dsn' | 'connect'>): UpstreamAddress {
  const { protocol, publicKey } = dsn
  const url = new URL(`${protocol}://${dsn.host}${dsn.path}/api/${dsn.projectId}/envelope/`)
  const target = connect === undefined ? url : new URL(`${protocol}://${connect}`)
  return {
    target: {
      origin: url.origin,
      host: target.hostname.replaceAll(/^\[|\]$/g, ''),
      port: target.port === '' ? (protocol === 'https' ? 443 : 80) : Number(target.port),
    },
    path: url.pathname,
    headers: [
      'content-type',
      'application/x-sentry-envelope',
      'x-sentry-auth',
      `Sentry sentry_version=7, sentry_client=culvert, sentry_key=${publicKey}`,
      'via',
      '1.1 culvert',
    ],
  }
}

/** Returns the headers of the request that forwards an envelope: names and values, alternating. */
export function toRequestHeaders(
  { headers }: UpstreamAddress,
  { clientAddress, userAgent }: StoredEnvelope,
): string[] {
  const client = toHeaderText(clientAddress)
  const forwarded = client === undefined ? [] : ['x-sentry-forwarded-for', client]
  return [...headers, 'user-agent', toHeaderText(userAgent) ?? 'culvert', ...forwarded]
}

/** Removes characters that a header value must not contain. A value received in a header contains none. */
function toHeaderText(text: string | undefined): string | undefined {
  const clean = text?.replaceAll(/[^\t\u0020-\u007e\u0080-\u00ff]/g, '')
  return clean === '' ? undefined : clean
}
