import type { IncomingMessage } from 'node:http'
import type { RequestOrigin } from '#server/client-address.ts'
import type { Services } from '#server/services.ts'

/** Headers of proxies, which a directly connected client can set, too. */
const forwardingHeaders = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-real-ip',
] as const

type ForwardingServices = Pick<Services, 'clientAddresses' | 'env'>

/**
 * Normalizes the forwarding headers of a request for all handlers behind the front: `X-Forwarded-For`
 * contains only the client's address, `X-Forwarded-Proto: https` is present if a trusted proxy has set it,
 * and all others are removed. A forwarded host replaces `Host` only if it is the one in `CULVERT_ORIGIN`: any
 * other could be chosen by an attacker, and would appear in redirects.
 */
export function normalizeForwarding(
  request: IncomingMessage,
  { clientAddresses, env }: ForwardingServices,
): void {
  const { headers, socket } = request
  const header = (name: string) => {
    const value = headers[name]
    return typeof value === 'string' ? value : value?.join(', ')
  }
  const origin = clientAddresses.find(socket.remoteAddress, header)
  const isHttps = findHop(header('x-forwarded-proto'), origin) === 'https'
  const host = findHop(header('x-forwarded-host'), origin)
  for (const name of forwardingHeaders) removeHeader(request, name)
  if (origin.clientAddress !== undefined) setHeader(request, 'x-forwarded-for', origin.clientAddress)
  if (isHttps) setHeader(request, 'x-forwarded-proto', 'https')
  if (host !== undefined && env.origin !== undefined && host === new URL(env.origin).host) {
    removeHeader(request, 'host')
    setHeader(request, 'host', host)
  }
}

/**
 * The same for a request that did not pass the Node front. Its peer address is provided by the host, whatever
 * its `Host` is.
 */
export function normalizeWebForwarding(request: Request, { clientAddresses }: ForwardingServices): void {
  const { headers } = request
  const { clientAddress } = clientAddresses.find(peerOf(request), (name) => headers.get(name) ?? undefined)
  for (const name of forwardingHeaders) headers.delete(name)
  if (clientAddress !== undefined) headers.set('x-forwarded-for', clientAddress)
}

/** Some servers set the peer address there; serverless hosts do not provide it. */
function peerOf(request: Request): string | undefined {
  const ip: unknown = Reflect.get(request, 'ip')
  return typeof ip === 'string' ? ip : undefined
}

/** The entry of the outermost trusted proxy: each proxy appends to the list, which a client may begin. */
function findHop(list: string | undefined, { proxyCount }: RequestOrigin): string | undefined {
  if (list === undefined || proxyCount === 0) return undefined
  const hops = list.split(',').map((hop) => hop.trim().toLowerCase())
  return hops.at(Math.max(0, hops.length - proxyCount))
}

/** Node stores headers twice: parsed by name, and as alternating names and values in order of arrival. */
function removeHeader({ headers, rawHeaders }: IncomingMessage, name: string): void {
  if (headers[name] === undefined) return
  Reflect.deleteProperty(headers, name)
  for (let at = rawHeaders.length - 2; at >= 0; at -= 2) {
    if (rawHeaders[at]?.toLowerCase() === name) rawHeaders.splice(at, 2)
  }
}

function setHeader({ headers, rawHeaders }: IncomingMessage, name: string, value: string): void {
  headers[name] = value
  rawHeaders.push(name, value)
}
