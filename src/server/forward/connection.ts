import { lookup, type LookupAddress, type LookupOptions } from 'node:dns'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { limits } from '#server/limits.ts'
import { isPublicAddress } from './allowed-address.ts'

/** The upstream's address is on this machine or a private network, where nobody allowed to send. */
class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError'
  readonly code = 'PRIVATE_ADDRESS'
}

/** The connections to upstreams. */
export interface UpstreamAgents {
  readonly http: HttpAgent
  readonly https: HttpsAgent
  /** Raises a `PrivateAddressError` for an address, written as such, that may not be connected to. A name passes. */
  check(host: string): void
  close(): void
}

/** All addresses of a name, as `dns.lookup` finds them with `all`. */
export type ResolveName = (
  name: string,
  options: LookupOptions & { all: true },
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void

/**
 * Agents that keep connections and look at every address before they connect to it. The address that was looked at is the
 * one that is connected to: a name is resolved once, by the connection itself, so that nothing can change in between.
 */
export function createUpstreamAgents({
  allowsPrivate,
  resolveName = lookup,
}: {
  allowsPrivate: boolean
  resolveName?: ResolveName
}): UpstreamAgents {
  const isAllowed = (address: string) => allowsPrivate || isPublicAddress(address)
  const options = {
    // Without a limit of its own: upstreams of one host would wait for each other's connections, and time out over it.
    keepAlive: true,
    timeout: limits.forwardIdleMs,
    lookup: createCheckedLookup(resolveName, isAllowed),
  }
  const http = new HttpAgent(options)
  const https = new HttpsAgent(options)
  return {
    http,
    https,
    check(host) {
      const address = host.replaceAll(/^\[|\]$/g, '')
      if (isIP(address) !== 0 && !isAllowed(address)) throw new PrivateAddressError(privateAddress)
    },
    close() {
      http.destroy()
      https.destroy()
    },
  }
}

const privateAddress =
  'its address is on this machine or a private network; CULVERT_ALLOW_PRIVATE_UPSTREAMS=1 allows that'

/** Resolves as Node does, but gives back only the addresses that may be connected to. */
function createCheckedLookup(
  resolveName: ResolveName,
  isAllowed: (address: string) => boolean,
): LookupFunction {
  return (hostname, options, callback) => {
    resolveName(hostname, { ...options, all: true }, (error, addresses) => {
      const allowed = error ? [] : addresses.filter(({ address }) => isAllowed(address))
      const [first] = allowed
      if (error) callback(error, '', 0)
      else if (first === undefined) callback(new PrivateAddressError(privateAddress), '', 0)
      else if (options.all === true) answerAll(callback, allowed)
      else callback(null, first.address, first.family)
    })
  }
}

function answerAll(callback: Parameters<LookupFunction>[2], addresses: LookupAddress[]): void {
  callback(null, addresses)
}
