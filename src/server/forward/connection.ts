import { lookup, type LookupAddress, type LookupOptions } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import type * as Undici from 'undici'
import { limits } from '#server/limits.ts'
import { isPublicAddress } from './addresses/allowed-address.ts'

/** The address is on this machine or a private network, which is not allowed. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError'
  readonly code = 'PRIVATE_ADDRESS'
}

/** The target of a connection. */
export interface ConnectionTarget {
  /** Scheme, host and port that requests name; of `https`, whose certificate it must be. */
  origin: string
  /** The host: a name, or an address without brackets. */
  host: string
  port: number
}

/** Why an address may not be connected to for a target; undefined if it may. Shown to users. */
export type AddressRule = (address: string, target: ConnectionTarget) => string | undefined

/** All addresses of a name, as `dns.lookup` finds them with `all`. */
export type ResolveName = (
  name: string,
  options: LookupOptions & { all: true },
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void

/** The connections to upstreams: kept for a while, and each address looked at before it is connected to. */
export class UpstreamConnections {
  private readonly rule: AddressRule
  private readonly resolveName: ResolveName
  private readonly pools = new Map<string, Undici.Pool>()

  /**
   * The address that was looked at is the one that is connected to: a name is resolved once, by the
   * connection itself, so that nothing can change in between.
   */
  constructor({
    resolveName = lookup,
    ...rules
  }: ({ allowsPrivate: boolean } | { rule: AddressRule }) & { resolveName?: ResolveName }) {
    this.rule = 'rule' in rules ? rules.rule : rules.allowsPrivate ? () => undefined : findPrivate
    this.resolveName = resolveName
  }

  /**
   * Where requests are sent. Rejects with a `PrivateAddressError` for an address that may not be connected
   * to.
   */
  async poolOf(target: ConnectionTarget): Promise<Undici.Pool> {
    // A name is looked at by the look-up.
    const problem = isIP(target.host) === 0 ? undefined : this.rule(target.host, target)
    if (problem !== undefined) throw new PrivateAddressError(problem)
    const key = `${target.origin} ${target.host} ${target.port}`
    const known = this.pools.get(key)
    if (known !== undefined) return known
    // Only now, because who has no upstream shall not have it in memory.
    const undici = await import('undici')
    const pool = this.pools.get(key) ?? this.open(target, undici)
    this.pools.set(key, pool)
    return pool
  }

  /** Cuts all of them off. */
  close(): void {
    for (const pool of this.pools.values()) void pool.destroy()
    this.pools.clear()
  }

  /** Without its own limit: the caller limits the requests in flight. */
  private open(target: ConnectionTarget, { Pool, buildConnector }: typeof Undici): Undici.Pool {
    const { origin, host, port } = target
    const connect = buildConnector({
      allowH2: false,
      timeout: limits.forwardTimeoutMs,
      lookup: createCheckedLookup(this.resolveName, (address) => this.rule(address, target)),
    })
    return new Pool(origin, {
      connect: (asked, callback) => connect({ ...asked, hostname: host, port: String(port) }, callback),
      keepAliveTimeout: limits.forwardIdleMs,
      keepAliveMaxTimeout: limits.forwardIdleMs,
      maxHeaderSize: limits.forwardAnswerHeadBytes,
      // An answer is timed as a whole.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }
}

const privateAddress =
  'its address is on this machine or a private network; CULVERT_ALLOW_PRIVATE_UPSTREAMS=1 allows that'

const findPrivate: AddressRule = (address) => (isPublicAddress(address) ? undefined : privateAddress)

/** Resolves as Node does, but gives back only the addresses that may be connected to. */
export function createCheckedLookup(
  resolveName: ResolveName,
  findProblem: (address: string) => string | undefined,
): LookupFunction {
  return (hostname, options, callback) => {
    resolveName(hostname, { ...options, all: true }, (error, addresses) => {
      const checked = error ? [] : addresses.map((each) => ({ ...each, problem: findProblem(each.address) }))
      const allowed = checked.filter(({ problem }) => problem === undefined)
      const [first] = allowed
      if (error) callback(error, '', 0)
      else if (first === undefined)
        callback(new PrivateAddressError(checked[0]?.problem ?? 'its name has no address'), '', 0)
      else if (options.all === true) answerAll(callback, allowed)
      else callback(null, first.address, first.family)
    })
  }
}

function answerAll(callback: Parameters<LookupFunction>[2], addresses: LookupAddress[]): void {
  callback(
    null,
    addresses.map(({ address, family }) => ({ address, family })),
  )
}
