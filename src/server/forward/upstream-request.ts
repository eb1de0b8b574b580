import { isIP } from 'node:net'
import type { StoredEnvelope } from '#server/store/outbox.ts'
import type { Upstream } from '#server/store/upstreams.ts'
import type { Place } from './connection.ts'

/** Where the requests of an upstream go, and what is the same in all of them. */
export interface UpstreamAddress {
  place: Place
  /** Of each request: its first lines. */
  firstLines: string
}

type Addressed = Pick<Upstream, 'dsn' | 'connect'>

/** Made once for each upstream: it is read afresh every second, and sent to far more often. */
const addresses = new WeakMap<Addressed, UpstreamAddress>()

/** Where an upstream is. */
export function addressOf(upstream: Addressed): UpstreamAddress {
  const known = addresses.get(upstream)
  if (known !== undefined) return known
  const made = toAddress(upstream)
  addresses.set(upstream, made)
  return made
}

function toAddress({ dsn, connect }: Addressed): UpstreamAddress {
  const { protocol, publicKey } = dsn
  const url = new URL(`${protocol}://${dsn.host}${dsn.path}/api/${dsn.projectId}/envelope/`)
  const target = connect === undefined ? url : new URL(`${protocol}://${connect}`)
  const name = withoutBrackets(url.hostname)
  return {
    place: {
      protocol,
      host: withoutBrackets(target.hostname),
      port: target.port === '' ? (protocol === 'https' ? 443 : 80) : Number(target.port),
      // The certificate must be the upstream's, whatever was dialled.
      ...(protocol === 'https' && isIP(name) === 0 && { servername: name }),
    },
    firstLines: [
      `POST ${url.pathname} HTTP/1.1`,
      `host: ${url.host}`,
      'connection: keep-alive',
      'content-type: application/x-sentry-envelope',
      `x-sentry-auth: Sentry sentry_version=7, sentry_client=culvert, sentry_key=${publicKey}`,
      'via: 1.1 culvert',
      '',
    ].join('\r\n'),
  }
}

/** The head of the request that takes an envelope up, in Latin-1. */
export function toRequestHead(
  { firstLines }: UpstreamAddress,
  { body, clientAddress, userAgent }: StoredEnvelope,
): string {
  const agent = toHeaderText(userAgent) ?? 'culvert'
  const client = toHeaderText(clientAddress)
  const forwarded = client === undefined ? '' : `x-sentry-forwarded-for: ${client}\r\n`
  return `${firstLines}user-agent: ${agent}\r\n${forwarded}content-length: ${body.byteLength}\r\n\r\n`
}

/** What can stand in a header, in one line; it came in one, so that nothing of it is lost. */
function toHeaderText(text: string | undefined): string | undefined {
  const clean = text?.replaceAll(/[^\t\u0020-\u007e\u0080-\u00ff]/g, '')
  return clean === '' ? undefined : clean
}

function withoutBrackets(hostname: string): string {
  return hostname.replaceAll(/^\[|\]$/g, '')
}
