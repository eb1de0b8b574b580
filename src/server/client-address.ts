import { isIP } from 'node:net'
import { BoundedMap } from './bounded-map.ts'
import type { Env } from './env.ts'
import { limits } from './limits.ts'
import type { Log } from './log.ts'
import { createNetworkCheck, isPrivateAddress } from './networks.ts'
import { toClientNetwork } from './rate-limit/client-network.ts'

/** What is known about a request's way here: the client, and how many trusted proxies forwarded it. */
export interface RequestOrigin {
  /** A valid IP address; absent where neither a connection nor a trusted header names one. */
  clientAddress?: string
  /** 0 where the client itself is connected: then nothing that a header says about the way is believed. */
  proxyCount: number
}

/**
 * Finds where a request comes from. One per composition root, for ingest, limits, sign-ins and the console
 * alike.
 */
export interface ClientAddresses {
  /**
   * `peer` is the address at the other end of the connection; undefined where the host hides it. `header`
   * gets lower-case names.
   */
  find(peer: string | undefined, header: (name: string) => string | undefined): RequestOrigin
  /**
   * The network of a client that is connected directly; undefined for a trusted proxy and where the host
   * hides the peer.
   */
  findDirectNetwork(peer: string | undefined): string | undefined
}

export interface ClientAddressOptions {
  env: Pick<Env, 'trustedProxies' | 'clientAddressHeaders' | 'hidesPeer'>
  log: Pick<Log, 'warn'>
}

/**
 * Reads the forwarding header from the right: each proxy appends the address it got the request from, so the
 * entry of a trusted proxy is true, and the first address that is no trusted proxy is the client. Entries
 * left of it are what that client wrote. Vendors' headers count only where the operator names them: a proxy
 * that does not know them passes on what a client writes there.
 */
export function createClientAddresses({ env, log }: ClientAddressOptions): ClientAddresses {
  const isListed = createNetworkCheck(env.trustedProxies)
  const known = new BoundedMap<string, boolean>(limits.rememberedAddresses)
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
      // Once: the log must not grow with requests.
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
      // Where an entry is no address, those left of it have nobody to vouch for them.
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

/**
 * The client's address in the headers of a request whose way has been settled, see
 * `http/forwarding-headers.ts`.
 */
export function readForwardedAddress(headers: Headers): string | undefined {
  return headers.get('x-forwarded-for') ?? undefined
}

/** Entries of a list, last first. Lazy: a client can write a list as long as its headers may be. */
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

/**
 * The address in a text, without port, brackets and zone, and IPv4 as IPv4; undefined where there is none.
 */
function parseAddress(text: string): string | undefined {
  const [, v4, v6] = isIP(text) === 0 ? (portOrBrackets.exec(text) ?? []) : []
  const [address = ''] = (v4 ?? v6 ?? text).split('%', 1)
  const plain = /^::ffff:[\d.]+$/i.test(address) ? address.slice('::ffff:'.length) : address
  return isIP(plain) === 0 ? undefined : plain
}
