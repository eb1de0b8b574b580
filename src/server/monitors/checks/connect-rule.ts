import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from '#server/forward/addresses/allowed-address.ts'
import { createCheckedLookup, PrivateAddressError, type ResolveName } from '#server/forward/connection.ts'
import { createListedCheck, type PrivateDestinations } from '#server/private-destinations.ts'

/** A host and port that a check connects to. */
export interface CheckedHost {
  /** A name, or an address without brackets. */
  host: string
  port: number
}

/**
 * Returns the lookup function for a connection. A name is resolved once, by the connection itself, and only
 * allowed addresses are returned. Throws a `PrivateAddressError` for a forbidden address.
 */
export type ConnectRule = (at: CheckedHost) => LookupFunction

/**
 * The rule for connections of checks: public addresses, and the private hosts, addresses and networks that
 * the operator lists.
 */
export function createConnectRule(
  destinations: PrivateDestinations,
  resolveName: ResolveName = lookup,
): ConnectRule {
  const isListed = createListedCheck(destinations)
  return (at) => {
    const findProblem = (address: string) =>
      isPublicAddress(address) || isListed(address, at)
        ? undefined
        : `The address of ${at.host} is on this machine or a private network; ` +
          `CULVERT_ALLOW_PRIVATE_DESTINATIONS=${at.host}:${at.port} allows it`
    // Node does not resolve an address.
    const problem = isIP(at.host) === 0 ? undefined : findProblem(at.host)
    if (problem !== undefined) throw new PrivateAddressError(problem)
    return createCheckedLookup(resolveName, findProblem)
  }
}
