import { lookup, type LookupAddress, type LookupOptions } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import type * as Undici from 'undici'
import { limits } from '#server/limits.ts'
import { isPublicAddress } from './addresses/allowed-address.ts'
import { skipContinue } from './unsolicited-continue.ts'

/** The address is on this machine or a private network, and therefore forbidden. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError'
  readonly code = 'PRIVATE_ADDRESS'
}

/** The target of a connection. */
export interface ConnectionTarget {
  /** Scheme, host and port of requests; for `https`, the certificate must match. */
  origin: string
  /** The host: a name, or an address without brackets. */
  host: string
  port: number
}

/**
 * The reason why a connection from a target to an address is forbidden; undefined if it is allowed. Displayed
 * to users.
 */
export type AddressRule = (address: string, target: ConnectionTarget) => string | undefined

/** All addresses of a name, as `dns.lookup` finds them with `all`. */
export type ResolveName = (
  name: string,
  options: LookupOptions & { all: true },
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void

interface UsedPool {
  pool: Undici.Pool
  /** Monotonic milliseconds. */
  usedAtMs: number
}

/** The connections to upstreams: reused for a while, and checked by the address rule before opening. */
export class UpstreamConnections {
  private readonly rule: AddressRule
  private readonly resolveName: ResolveName
  private readonly pools = new Map<string, UsedPool>()

  /**
   * The checked address is the one that is connected to: a name is resolved once, by the connection itself,
   * so that it cannot change in between.
   */
  constructor({
    resolveName = lookup,
    ...rules
  }: ({ allowsPrivate: boolean } | { rule: AddressRule }) & { resolveName?: ResolveName }) {
    this.rule = 'rule' in rules ? rules.rule : rules.allowsPrivate ? () => undefined : findPrivate
    this.resolveName = resolveName
  }

  /** The connection pool of a target. Rejects with a `PrivateAddressError` for a forbidden address. */
  async poolOf(target: ConnectionTarget): Promise<Undici.Pool> {
    // A name is checked when it is resolved.
    const problem = isIP(target.host) === 0 ? undefined : this.rule(target.host, target)
    if (problem !== undefined) throw new PrivateAddressError(problem)
    const key = `${target.origin} ${target.host} ${target.port}`
    const known = this.pools.get(key)
    if (known !== undefined) {
      known.usedAtMs = performance.now()
      return known.pool
    }
    // Imported on first use, because it takes memory that installations without upstreams need not spend.
    const undici = await import('undici')
    this.dropUnused()
    const pool = this.pools.get(key)?.pool ?? this.open(target, undici)
    this.pools.set(key, { pool, usedAtMs: performance.now() })
    return pool
  }

  /** Drops pools without connections whose target may have been deleted. */
  private dropUnused(): void {
    const before = performance.now() - limits.forwardPoolKeptMs
    for (const [key, { pool, usedAtMs }] of this.pools) {
      const { connected, size } = pool.stats
      if (usedAtMs < before && connected === 0 && size === 0) this.pools.delete(key)
    }
  }

  /** Closes all connections immediately. */
  close(): void {
    for (const { pool } of this.pools.values()) void pool.destroy()
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
      connect: (options, callback) =>
        connect({ ...options, hostname: host, port: String(port) }, (...result) => {
          // Without a connection, undici passes the error only: the types are wrong.
          if (result[0] === null) skipContinue(result[1])
          callback(...result)
        }),
      keepAliveTimeout: limits.forwardIdleMs,
      keepAliveMaxTimeout: limits.forwardIdleMs,
      maxHeaderSize: limits.forwardAnswerHeadBytes,
      // The time-out applies to the answer as a whole.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }
}

const privateAddress =
  'its address is on this machine or a private network; CULVERT_ALLOW_PRIVATE_UPSTREAMS=1 allows that'

const findPrivate: AddressRule = (address) => (isPublicAddress(address) ? undefined : privateAddress)

/** Resolves like Node, but returns only allowed addresses. */
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
