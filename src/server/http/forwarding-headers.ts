import type { IncomingMessage } from 'node:http'
import type { RequestOrigin } from '#server/client-address.ts'
import type { Services } from '#server/services.ts'

/** Headers of proxies; a client that connects directly can set them, too. */
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
 * Makes the headers of a request say what this server believes about its way, for everything behind the
 * front: the client's address alone in `X-Forwarded-For`, `X-Forwarded-Proto: https` where a trusted proxy
 * says so, and no other forwarding header. A forwarded host takes the place of `Host` only if it is the one
 * in `CULVERT_ORIGIN`: any other is a stranger's choice, and would be in redirects.
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
 * The same for a request that did not pass the Node front. Its address is that of its host, whatever `Host`
 * it has.
 */
export function normalizeWebForwarding(request: Request, { clientAddresses }: ForwardingServices): void {
  const { headers } = request
  const { clientAddress } = clientAddresses.find(peerOf(request), (name) => headers.get(name) ?? undefined)
  for (const name of forwardingHeaders) headers.delete(name)
  if (clientAddress !== undefined) headers.set('x-forwarded-for', clientAddress)
}

/** Some servers put the other end of the connection there; serverless hosts do not show it. */
function peerOf(request: Request): string | undefined {
  const ip: unknown = Reflect.get(request, 'ip')
  return typeof ip === 'string' ? ip : undefined
}

/** The entry of the outermost trusted proxy: each one appends to the list, a client may have begun it. */
function findHop(list: string | undefined, { proxyCount }: RequestOrigin): string | undefined {
  if (list === undefined || proxyCount === 0) return undefined
  const hops = list.split(',').map((hop) => hop.trim().toLowerCase())
  return hops.at(Math.max(0, hops.length - proxyCount))
}

/** Node keeps headers twice: parsed by name, and as alternating names and values in order of arrival. */
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
