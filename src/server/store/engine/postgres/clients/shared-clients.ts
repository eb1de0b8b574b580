import type { Pool, PoolClient } from 'pg'
import { toStoreError } from '#server/store/engine/postgres/error.ts'
import type { ServerWatch } from '#server/store/engine/postgres/liveness/server-watch.ts'
import { cutOff } from '#server/store/engine/postgres/pool.ts'

/** A client that several readers use. The last one returns it to its pool. */
export interface SharedClient {
  readonly client: Promise<PoolClient>
  readerCount: number
  isReturned: boolean
}

/**
 * Lends the clients of a pool. The reads that are requested in one tick of the event loop, usually those of
 * one page, share a client: they are sent without waiting for each other, and one process of the server runs
 * them. On separate connections they would wake up as many processes, each with its own caches, which takes
 * more CPU time than most of these reads (decision 128).
 */
export class SharedClients {
  private readonly pool: Pool
  private readonly watch: ServerWatch
  /** When each client was last returned, by the monotonic clock. */
  private readonly returnedAt = new WeakMap<PoolClient, number>()
  private ofTick: SharedClient | undefined
  private readonly onFailure: (error: unknown) => void

  /** `watch`: of the server of the pool. `onFailure` is called if a connection cannot be opened. */
  constructor(pool: Pool, watch: ServerWatch, onFailure: (error: unknown) => void = () => undefined) {
    this.pool = pool
    this.watch = watch
    this.onFailure = onFailure
  }

  /** The maximum number of connections. */
  get size(): number {
    return this.pool.options.max
  }

  /** A client for a reader, which the reader must give back. */
  borrow({ isShared }: { isShared: boolean }): SharedClient {
    if (!isShared) return this.create()
    if (this.ofTick !== undefined) {
      this.ofTick.readerCount += 1
      return this.ofTick
    }
    // Runs when no promise is left whose continuation can run without new input.
    process.nextTick(() => (this.ofTick = undefined))
    return (this.ofTick = this.create())
  }

  /** Call when a reader has finished. */
  giveBack(shared: SharedClient): void {
    shared.readerCount -= 1
    if (shared.readerCount === 0) this.release(shared, { isLost: false })
  }

  /** Closes a lost connection: its other readers fail, too. */
  discard(shared: SharedClient): void {
    this.release(shared, { isLost: true })
  }

  private create(): SharedClient {
    return { client: this.connect(), readerCount: 1, isReturned: false }
  }

  private release(shared: SharedClient, { isLost }: { isLost: boolean }): void {
    if (shared.isReturned) return
    shared.isReturned = true
    if (this.ofTick === shared) this.ofTick = undefined
    const giveBack = (client: PoolClient) => {
      this.returnedAt.set(client, performance.now())
      // Without this, the end of the connection would wait for the answers to its reads.
      if (isLost) cutOff(client)
      client.release(isLost)
    }
    // Without a connection there is nothing to return.
    shared.client.then(giveBack, () => undefined)
  }

  /** The pool closes idle connections by timers, which stop while the process is suspended. */
  private async connect(): Promise<PoolClient> {
    const oldest = performance.now() - (this.pool.options.idleTimeoutMillis ?? 0) - 1_000
    for (;;) {
      const client = await this.lend()
      if ((this.returnedAt.get(client) ?? Number.POSITIVE_INFINITY) > oldest) return client
      client.release(true)
    }
  }

  private async lend(): Promise<PoolClient> {
    let connecting: Promise<PoolClient> | undefined
    try {
      return await this.watch.during(() => (connecting = this.pool.connect()))
    } catch (error) {
      // The connection may still be established when the server answers again.
      connecting?.then((client) => client.release(true)).catch(() => undefined)
      this.onFailure(error)
      throw toStoreError(error)
    }
  }
}
