import { isPublicAddress } from '#server/forward/addresses/allowed-address.ts'
import type { AddressRule } from '#server/forward/connection.ts'
import { createListedCheck, type PrivateDestinations } from '#server/private-destinations.ts'

/** Lower ports belong to other protocols, except HTTPS. */
const firstFreePort = 1024
const httpsPort = 443

/**
 * The rule for connections to destinations: public addresses by https on its port or one from 1024 on, and
 * any host, address and network that the operator lists, also by http.
 */
export function createDestinationRule(destinations: PrivateDestinations): AddressRule {
  const isListed = createListedCheck(destinations)
  return (address, { origin, host, port }) => {
    if (isListed(address, { host, port })) return undefined
    const problem = findPublicProblem(address, origin, port)
    return problem && `${problem}; CULVERT_ALLOW_PRIVATE_DESTINATIONS=${host}:${port} allows it`
  }
}

function findPublicProblem(address: string, origin: string, port: number): string | undefined {
  if (!isPublicAddress(address)) return 'its address is on this machine or a private network'
  if (!origin.startsWith('https:')) return 'its URL uses http://, which is not encrypted'
  if (port !== httpsPort && port < firstFreePort) return `its port ${port} is not allowed`
  return undefined
}
