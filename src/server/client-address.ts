import { isIP } from 'node:net'
import { BoundedMap } from './bounded-map.ts'
import type { Env } from './env.ts'
import { limits } from './limits.ts'
import type { Log } from './log.ts'
import { createNetworkCheck, isPrivateAddress } from './networks.ts'
import { toClientNetwork } from './rate-limit/client-network.ts'

/** The origin of a request: the client and the number of trusted proxies. */
export interface RequestOrigin {
  /** A valid IP address. Absent if neither the connection nor a trusted header has one. */
  clientAddress?: string
  /** 0 if the client itself is connected: forwarding headers are then ignored. */
  proxyCount: number
}

/** Determines the origin of requests. Shared by ingest, limits, sign-in and the console. */
export interface ClientAddresses {
  /**
   * `peer` is the remote address of the connection, undefined if the host hides it. `header` receives
   * lower-case names.
   */
  find(peer: string | undefined, header: (name: string) => string | undefined): RequestOrigin
  /** The network of a directly connected client. Undefined for a trusted proxy, and for a hidden peer. */
  findDirectNetwork(peer: string | undefined): string | undefined
}

export interface ClientAddressOptions {
  env: Pick<Env, 'trustedProxies' | 'clientAddressHeaders' | 'hidesPeer'>
  log: Pick<Log, 'warn'>
}

/**
 * Reads the forwarding header from the right. Each proxy appends the address of its peer, so the entry of a
 * trusted proxy is reliable, and the first address that is not a trusted proxy is the client. The client
 * controls the entries left of it. A vendor's header counts only if the operator names it: other proxies
 * forward it unchanged from the client.
 */
export function createClientAddresses({ env, log }: ClientAddressOptions): ClientAddresses {
  const isListed = createNetworkCheck(env.trustedProxies)
  const known = new BoundedMap<string, boolean>(limits.cachedAddresses)
  const isProxy = (address: string) => known.getOrCreate(address, () => isListed(address))
  let isWarned = false

  function findForwarded(header: (name: string) => string | undefined): string | undefined {
    for (const name of env.clientAddressHeaders) {
      const value = header(name)
      if (value !== undefined) return value
    }
    return undefined
  }

  function findDirect(peer: string, header: (name: string) => string | undefined): RequestOrigin {
    if (!isWarned && isPrivateAddress(peer) && findForwarded(header) !== undefined) {
      // Once, because the log must not grow with requests.
      isWarned = true
      log.warn(
        { peer, headers: env.clientAddressHeaders },
        'a forwarding header is ignored: the address it comes from is not in CULVERT_TRUSTED_PROXIES. If a proxy of yours has ' +
          'this address, add it there',
      )
    }
    return { clientAddress: peer, proxyCount: 0 }
  }

  function findBehindProxy(peer: string | undefined, forwarded: string): RequestOrigin {
    let clientAddress = peer
    let proxyCount = 1
    for (const entry of entriesFromRight(forwarded)) {
      const address = parseAddress(entry)
      // No trusted proxy vouches for the entries left of an invalid one.
      if (address === undefined) break
      clientAddress = address
      if (!isProxy(address)) break
      proxyCount += 1
    }
    return clientAddress === undefined ? { proxyCount } : { clientAddress, proxyCount }
  }

  return {
    findDirectNetwork(peer) {
      const address = peer === undefined ? undefined : parseAddress(peer)
      return address === undefined || isProxy(address) ? undefined : toClientNetwork(address)
    },
    find(peer, header) {
      const address = peer === undefined ? undefined : parseAddress(peer)
      if (address !== undefined && !isProxy(address)) return findDirect(address, header)
      if (address === undefined && !env.hidesPeer) return { proxyCount: 0 }
      return findBehindProxy(address, findForwarded(header) ?? '')
    },
  }
}

/** The client address in the headers of a request after `http/forwarding-headers.ts` rewrote them. */
export function readForwardedAddress(headers: Headers): string | undefined {
  return headers.get('x-forwarded-for') ?? undefined
}

/** Entries of a list, last first. Lazy, because a client controls the length. */
function* entriesFromRight(list: string): Generator<string> {
  for (let end = list.length; end > 0;) {
    const comma = list.lastIndexOf(',', end - 1)
    const entry = list.slice(comma + 1, end).trim()
    if (entry !== '') yield entry
    end = comma
  }
}

/** `203.0.113.7:4711`, as Azure's gateways write it, `[2001:db8::1]:4711` and `[2001:db8::1]`. */
const portOrBrackets = /^(?:([\d.]{7,15}):\d{1,5}|\[([\da-f:.]{2,45})\](?::\d{1,5})?)$/i

/** The address without port, brackets and zone, IPv4-mapped addresses as IPv4. Undefined if invalid. */
function parseAddress(text: string): string | undefined {
  const [, v4, v6] = isIP(text) === 0 ? (portOrBrackets.exec(text) ?? []) : []
  const [address = ''] = (v4 ?? v6 ?? text).split('%', 1)
  const plain = /^::ffff:[\d.]+$/i.test(address) ? address.slice('::ffff:'.length) : address
  return isIP(plain) === 0 ? undefined : plain
}
