import { lookup, type LookupAddress, type LookupOptions } from 'node:dns'
import { connect as connectPlain, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { limits } from '#server/limits.ts'
import { isPublicAddress } from './allowed-address.ts'

/** The upstream's address is on this machine or a private network, where nobody allowed to send. */
class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError'
  readonly code = 'PRIVATE_ADDRESS'
}

/** The upstream has ended a connection before it answered. */
class ConnectionClosedError extends Error {
  override readonly name = 'ConnectionClosedError'
  readonly code = 'ECONNRESET'
}

/** What is connected to. */
export interface Place {
  protocol: 'http' | 'https'
  /** A name, or an address without brackets. */
  host: string
  port: number
  /** Whose certificate it must be; absent for an address. */
  servername?: string
}

/** Who waits for an answer. */
interface Asker {
  onBytes(bytes: Buffer): void
  /** The connection is gone; nothing comes after it. */
  onEnd(error: Error): void
}

/** All addresses of a name, as `dns.lookup` finds them with `all`. */
export type ResolveName = (
  name: string,
  options: LookupOptions & { all: true },
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void

/** The connections to upstreams: kept, and each address looked at before it is connected to. */
export class UpstreamConnections {
  private readonly isAllowed: (address: string) => boolean
  private readonly lookup: LookupFunction
  private readonly open = new Set<UpstreamConnection>()
  /** By place; the one that was used last stands last. */
  private readonly idle = new Map<string, UpstreamConnection[]>()

  /**
   * The address that was looked at is the one that is connected to: a name is resolved once, by the connection itself, so that
   * nothing can change in between.
   */
  constructor({
    allowsPrivate,
    resolveName = lookup,
  }: {
    allowsPrivate: boolean
    resolveName?: ResolveName
  }) {
    this.isAllowed = (address) => allowsPrivate || isPublicAddress(address)
    this.lookup = createCheckedLookup(resolveName, this.isAllowed)
  }

  /** One that is kept, or a new one. Raises a `PrivateAddressError` for an address that may not be connected to. */
  take(place: Place): UpstreamConnection {
    const nowMs = performance.now()
    const kept = this.idle.get(keyOf(place)) ?? []
    for (let one = kept.pop(); one !== undefined; one = kept.pop()) {
      if (one.isUsable(nowMs)) return one
      one.destroy()
    }
    // A name is looked at by the look-up.
    if (isIP(place.host) !== 0 && !this.isAllowed(place.host)) throw new PrivateAddressError(privateAddress)
    const connection = new UpstreamConnection(this.connect(place), place)
    this.open.add(connection)
    connection.whenClosed(() => this.forget(connection))
    return connection
  }

  /** Keeps one whose answer has come whole, for as long as the upstream says it does, and not for long. */
  keep(connection: UpstreamConnection, keptSeconds = Number.POSITIVE_INFINITY): void {
    // A second less: what is sent while the upstream closes is lost.
    const keptMs = Math.min(limits.forwardIdleMs, keptSeconds * 1000 - 1000)
    connection.rest(performance.now() + keptMs)
    const key = keyOf(connection.place)
    const others = this.idle.get(key)
    if (others === undefined) this.idle.set(key, [connection])
    else others.push(connection)
  }

  /** Cuts all of them off. */
  close(): void {
    for (const connection of this.open) connection.destroy()
  }

  private connect({ protocol, host, port, servername }: Place): Socket {
    const options = { host, port, lookup: this.lookup, noDelay: true }
    if (protocol === 'http') return connectPlain(options)
    return connectTls({
      ...options,
      ALPNProtocols: ['http/1.1'],
      ...(servername !== undefined && { servername }),
    })
  }

  private forget(connection: UpstreamConnection): void {
    this.open.delete(connection)
    const key = keyOf(connection.place)
    const others = this.idle.get(key)?.filter((one) => one !== connection) ?? []
    if (others.length === 0) this.idle.delete(key)
    else this.idle.set(key, others)
  }
}

/** One connection, for one question at a time. */
export class UpstreamConnection {
  readonly place: Place
  private readonly socket: Socket
  private asker: Asker | undefined
  private isReady = false
  private idleUntilMs = 0

  constructor(socket: Socket, place: Place) {
    this.socket = socket
    this.place = place
    let problem: Error = new ConnectionClosedError('the connection was closed')
    // Nothing is written to a server whose certificate has not been looked at.
    socket.once(place.protocol === 'https' ? 'secureConnect' : 'connect', () => {
      this.isReady = true
    })
    socket.on('data', (bytes: Buffer) => {
      if (this.asker === undefined) socket.destroy()
      else this.asker.onBytes(bytes)
    })
    socket.on('end', () => socket.destroy())
    socket.on('error', (error) => {
      problem = error
    })
    socket.on('close', () => this.asker?.onEnd(problem))
    socket.setTimeout(limits.forwardIdleMs, () => {
      if (this.asker === undefined) socket.destroy()
    })
  }

  /** Sends a request; the asker hears of the answer until the connection rests or is gone. */
  ask({ head, body }: { head: string; body: Uint8Array }, asker: Asker): void {
    this.asker = asker
    const { socket } = this
    const write = () => {
      socket.cork()
      socket.write(head, 'latin1')
      socket.write(body)
      socket.uncork()
    }
    if (this.isReady) write()
    else socket.once(this.place.protocol === 'https' ? 'secureConnect' : 'connect', write)
  }

  /** Waits for a next question, until an instant of the monotonic clock. */
  rest(idleUntilMs: number): void {
    this.asker = undefined
    this.idleUntilMs = idleUntilMs
  }

  isUsable(nowMs: number): boolean {
    return this.socket.writable && nowMs < this.idleUntilMs
  }

  whenClosed(told: () => void): void {
    this.socket.once('close', told)
  }

  destroy(): void {
    this.socket.destroy()
  }
}

function keyOf({ protocol, host, port, servername = '' }: Place): string {
  return `${protocol} ${host} ${port} ${servername}`
}

const privateAddress =
  'its address is on this machine or a private network; CULVERT_ALLOW_PRIVATE_UPSTREAMS=1 allows that'

/** Resolves as Node does, but gives back only the addresses that may be connected to. */
function createCheckedLookup(
  resolveName: ResolveName,
  isAllowed: (address: string) => boolean,
): LookupFunction {
  return (hostname, options, callback) => {
    resolveName(hostname, { ...options, all: true }, (error, addresses) => {
      const allowed = error ? [] : addresses.filter(({ address }) => isAllowed(address))
      const [first] = allowed
      if (error) callback(error, '', 0)
      else if (first === undefined) callback(new PrivateAddressError(privateAddress), '', 0)
      else if (options.all === true) answerAll(callback, allowed)
      else callback(null, first.address, first.family)
    })
  }
}

function answerAll(callback: Parameters<LookupFunction>[2], addresses: LookupAddress[]): void {
  callback(null, addresses)
}
