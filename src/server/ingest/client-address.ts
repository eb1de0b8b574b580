import { BlockList, isIP } from 'node:net'

/** Most specific first; the order is Relay's. */
const forwardingHeaders = ['x-vercel-forwarded-for', 'x-sentry-forwarded-for', 'x-forwarded-for'] as const

/** `203.0.113.7:4711`, as Azure's gateways write it, `[2001:db8::1]:4711` and `[2001:db8::1]`. */
const portOrBrackets = /^(?:([\d.]{7,15}):\d{1,5}|\[([\da-f:.]{2,45})\](?::\d{1,5})?)$/i

const proxyNetworks = new BlockList()
proxyNetworks.addSubnet('127.0.0.0', 8)
proxyNetworks.addSubnet('10.0.0.0', 8)
proxyNetworks.addSubnet('172.16.0.0', 12)
proxyNetworks.addSubnet('192.168.0.0', 16)
proxyNetworks.addAddress('::1', 'ipv6')
proxyNetworks.addSubnet('fc00::', 7, 'ipv6')

/**
 * The address of whoever sent a request: the first one of the first forwarding header, else the peer's. The headers
 * are believed only from a peer on this machine or a private network (a reverse proxy), or where the platform shows
 * no peer (`peer` undefined: a serverless host overwrites them). A text that is no address is never returned.
 */
export function findClientAddress(
  header: (name: string) => string | undefined,
  peer: string | undefined,
): string | undefined {
  const plainPeer = peer?.startsWith('::ffff:') ? peer.slice('::ffff:'.length) : peer
  if (plainPeer === undefined || isProxy(plainPeer)) {
    for (const name of forwardingHeaders) {
      const value = header(name)
      if (value === undefined) continue
      const comma = value.indexOf(',')
      const first = (comma === -1 ? value : value.slice(0, comma)).trim()
      if (isIP(first) !== 0) return first
      const withoutPort = portOrBrackets
        .exec(first)
        ?.slice(1)
        .find((address) => address !== undefined)
      if (withoutPort !== undefined && isIP(withoutPort) !== 0) return withoutPort
    }
  }
  return plainPeer
}

function isProxy(address: string): boolean {
  // The usual peer, without a walk through the list.
  if (address === '127.0.0.1') return true
  return proxyNetworks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}
