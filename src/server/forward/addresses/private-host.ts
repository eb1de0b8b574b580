import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '#server/limits.ts'
import { isPublicAddress } from './allowed-address.ts'

/** The advice for an upstream with a forbidden address. */
export const privateUpstreamAdvice =
  'The operator can allow it: CULVERT_ALLOW_PRIVATE_UPSTREAMS=1 in its environment, and a restart.'

/**
 * True if `HOST` or `HOST:PORT` resolves only to this machine or private networks. False for a name without
 * an address, or one that takes long to resolve. For an early warning: the connection checks the address
 * again.
 */
export async function isPrivateHost(host: string): Promise<boolean> {
  const addresses = await resolveHost(host)
  return addresses.length > 0 && addresses.every((address) => !isPublicAddress(address))
}

/**
 * The addresses of `HOST` or `HOST:PORT`. Empty for a name without an address, or one that takes long to
 * resolve.
 */
export async function resolveHost(host: string): Promise<string[]> {
  const name = (URL.parse(`http://${host}`)?.hostname ?? '').replaceAll(/^\[|\]$/g, '')
  if (isIP(name) !== 0) return [name]
  if (name === '') return []
  const addresses = await Promise.race([
    lookup(name, { all: true }).catch(() => []),
    sleep(limits.nameLookUpMs, [], { ref: false }),
  ])
  return addresses.map(({ address }) => address)
}
