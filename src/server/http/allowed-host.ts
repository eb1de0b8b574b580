import { isIP } from 'node:net'
import { isLoopbackHost, type Env } from '#server/env.ts'

/** True if a request's `Host` header names this server. */
export type HostCheck = (host: string | undefined) => boolean

/**
 * Makes the check against DNS rebinding: a page elsewhere can point its own name at this machine, but it
 * cannot make the browser send another name than its own. Allowed are the name in `CULVERT_ORIGIN` and this
 * machine's loopback names, under any port, since tunnels and containers change it.
 *
 * On an address that others reach, IP addresses are names of this machine too, and without `CULVERT_ORIGIN`
 * nothing is known to compare with: every name is allowed.
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

/** The name in a `Host` header as URLs spell it: lower case, IPv6 in brackets, without the port. */
function parseHostName(host: string | undefined): string | undefined {
  if (host === undefined || /[/?#@\\\s]/.test(host)) return undefined
  const name = URL.parse(`http://${host}`)?.hostname
  return name === '' ? undefined : name
}

function unbracketed(name: string): string {
  return name.startsWith('[') ? name.slice(1, -1) : name
}
