import { isIP } from 'node:net'
import { createNetworkCheck, parseNetworks } from './networks.ts'

/** Private hosts and networks that the operator allows as destinations of alerts, and for uptime checks. */
export interface PrivateDestinations {
  /** Addresses and `ADDRESS/BITS`, with any port. */
  networks: readonly string[]
  /** Names in lower case, or addresses; with all ports if none is given. */
  hosts: readonly PrivateHost[]
}

/** A name in lower case or an address. */
export interface PrivateHost {
  host: string
  port?: number
}

/**
 * Parses `CULVERT_ALLOW_PRIVATE_DESTINATIONS`: `HOST`, `HOST:PORT`, addresses, `ADDRESS:PORT`, `[IPV6]:PORT`
 * and networks, separated by commas or spaces. Undefined if an entry is invalid.
 */
export function parsePrivateDestinations(text: string): PrivateDestinations | undefined {
  const networks: string[] = []
  const hosts: PrivateHost[] = []
  for (const word of text.split(/[\s,]+/).filter((each) => each !== '')) {
    const network = isIP(word.split('/')[0] ?? '') === 0 ? undefined : parseNetworks(word)
    const host = network === undefined ? parseHost(word) : undefined
    if (network !== undefined) networks.push(...network)
    else if (host !== undefined) hosts.push(host)
    else return undefined
  }
  return { networks, hosts }
}

/** Parses `HOST:PORT`; undefined if it is invalid. */
export function parseHostAndPort(text: string): Required<PrivateHost> | undefined {
  const { host, port } = parseHost(text.trim()) ?? {}
  return host === undefined || port === undefined ? undefined : { host, port }
}

/** Returns whether the operator allows an address of a host and port. */
export type ListedCheck = (address: string, at: { host: string; port: number }) => boolean

/** Creates a check for hosts and networks that the operator allows. */
export function createListedCheck({ networks, hosts }: PrivateDestinations): ListedCheck {
  const isListedAddress = createNetworkCheck(networks)
  return (address, { host, port }) => {
    const name = host.toLowerCase().replace(/\.$/, '')
    return (
      isListedAddress(address) ||
      hosts.some((each) => each.host === name && (each.port === undefined || each.port === port))
    )
  }
}

function parseHost(word: string): PrivateHost | undefined {
  const [, ipv6, name, digits] =
    /^(?:\[([0-9a-f:.]+)\]|([a-z0-9](?:[a-z0-9._-]*[a-z0-9])?))(?::([0-9]{1,5}))?$/i.exec(word) ?? []
  const host = (ipv6 ?? name)?.toLowerCase()
  if (host === undefined || (ipv6 !== undefined && isIP(ipv6) !== 6)) return undefined
  // `10.0.0` and `10.0.0.256` are neither addresses nor names.
  if (ipv6 === undefined && /^[0-9.]+$/.test(host) && isIP(host) === 0) return undefined
  if (digits === undefined) return { host }
  const port = Number(digits)
  return port >= 1 && port <= 65_535 ? { host, port } : undefined
}
