import { BlockList, isIP } from 'node:net'

/** Networks that are not public: RFC 6890 and its registry at IANA, and multicast. */
const privateNetworks = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  privateNetworks.addSubnet(network, bits)

/** Allocated IPv6 addresses (RFC 4291 §2.4), without those that embed or represent others. */
const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')
const specialUnicast = new BlockList()
for (const [network, bits] of [
  // Teredo, benchmarks, ORCHID, documentation.
  ['2001::', 23],
  ['2001:db8::', 32],
  ['3fff::', 20],
  // Embeds an IPv4 address.
  ['2002::', 16],
] as const)
  specialUnicast.addSubnet(network, bits, 'ipv6')

/**
 * True for a public address: not of this machine, a private or link-local network (the metadata services of
 * clouds), multicast, or documentation, and no IPv6 address that embeds an IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !privateNetworks.check(address, 'ipv4')
    case 6:
      return globalUnicast.check(address, 'ipv6') && !specialUnicast.check(address, 'ipv6')
    default:
      return false
  }
}
