import { isIP } from 'node:net'
import { isLoopbackHost, type Env } from '#server/env.ts'

/** True if a request's `Host` header names this server. */
export type HostCheck = (host: string | undefined) => boolean

/**
 * Creates the check against DNS rebinding: a page of another site can point its own name at this machine, but
 * the browser then sends that name. Allowed are the name in `CULVERT_ORIGIN` and the loopback names of this
 * machine, with any port, because tunnels and containers change it.
 *
 * On an address that others can reach, IP addresses are also allowed, and without `CULVERT_ORIGIN` every name
 * is.
 */
export function createHostCheck(env: Pick<Env, 'host' | 'origin'>): HostCheck {
  const ownName = env.origin === undefined ? undefined : new URL(env.origin).hostname
  const isLocal = isLoopbackHost(env.host)
  if (!isLocal && ownName === undefined) return () => true
  return (host) => {
    const name = parseHostName(host)
    if (name === undefined) return false
    return (
      name === ownName || isLoopbackHost(unbracketed(name)) || (!isLocal && isIP(unbracketed(name)) !== 0)
    )
  }
}

/** The name in a `Host` header in the normal form of URLs: lower case, IPv6 in brackets, without the port. */
function parseHostName(host: string | undefined): string | undefined {
  if (host === undefined || /[/?#@\\\s]/.test(host)) return undefined
  const name = URL.parse(`http://${host}`)?.hostname
  return name === '' ? undefined : name
}

function unbracketed(name: string): string {
  return name.startsWith('[') ? name.slice(1, -1) : name
}
