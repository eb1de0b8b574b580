import { BlockList, isIP } from 'node:net'

const cidrBlock = /^([^/]+)\/(\d{1,3})$/

/**
 * Compiles a list of blocked addresses and CIDR blocks; undefined if none of them is valid. Bits of a block's
 * address beyond its prefix are ignored: `192.168.1.0/8` is `192.0.0.0/8`.
 */
export function compileAddresses(entries: readonly string[]): BlockList | undefined {
  const blocked = new BlockList()
  for (const entry of entries) addEntry(blocked, entry.trim())
  return blocked.rules.length === 0 ? undefined : blocked
}

/** True if the client's address is blocked. IPv4 as IPv6 (`::ffff:1.2.3.4`) is the same address. */
export function isBlockedAddress(address: string | undefined, blocked: BlockList | undefined): boolean {
  if (address === undefined || blocked === undefined) return false
  const family = isIP(address)
  return family !== 0 && blocked.check(address, toFamilyName(family))
}

/** True for an IPv4 or IPv6 address or a CIDR block. */
export function isAddressEntry(entry: string): boolean {
  return compileAddresses([entry]) !== undefined
}

function addEntry(blocked: BlockList, entry: string): void {
  const [, network = entry, prefix] = cidrBlock.exec(entry) ?? []
  const family = isIP(network)
  if (family === 0) return
  if (prefix === undefined) blocked.addAddress(network, toFamilyName(family))
  else if (Number(prefix) <= (family === 4 ? 32 : 128)) {
    blocked.addSubnet(network, Number(prefix), toFamilyName(family))
  }
}

function toFamilyName(family: number): 'ipv4' | 'ipv6' {
  return family === 4 ? 'ipv4' : 'ipv6'
}
