import { BlockList, isIP } from 'node:net'

/** Names for networks in an operator's list. */
const privateNetworks = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', 'fe80::/10']
const namedNetworks: ReadonlyMap<string, readonly string[]> = new Map([
  ['none', []],
  ['loopback', ['127.0.0.0/8', '::1']],
  ['private', privateNetworks],
])

/** Returns whether a valid address is in a set of networks. */
export type NetworkCheck = (address: string) => boolean

/**
 * Parses a list of addresses, `ADDRESS/BITS` and `namedNetworks`, such as `loopback, 10.1.0.0/16
 * 2001:db8::1`, separated by commas or blanks. Undefined if an entry is invalid.
 */
export function parseNetworks(text: string): string[] | undefined {
  const networks: string[] = []
  for (const word of text.split(/[\s,]+/)) {
    const named = namedNetworks.get(word)
    if (named !== undefined) networks.push(...named)
    else if (isNetwork(word)) networks.push(word)
    else if (word !== '') return undefined
  }
  return networks
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const family = isIP(address)
  if (family === 0 || address.includes('%') || more.length > 0) return false
  return bits === undefined || (/^[0-9]{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

/** Creates a check for the networks that `parseNetworks` returns. */
export function createNetworkCheck(networks: readonly string[]): NetworkCheck {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return (address) => list.check(address, familyOf(address))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}

/** True for an address of a private network, often that of a proxy. */
export const isPrivateAddress: NetworkCheck = createNetworkCheck(privateNetworks)
