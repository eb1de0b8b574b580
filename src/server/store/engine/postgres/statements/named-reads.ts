import type { ClientBase, QueryResult } from 'pg'
import { limits } from '#server/limits.ts'

/** Texts whose uses are counted. */
const mostCounted = 1_000

/**
 * Milliseconds after which a connection makes new plans: those of a table that was empty may read all of it
 * once it has grown. Autovacuum, which analyzes it, may take a minute.
 */
const planMs = 10_000

/**
 * Runs the reads of the connections of a pool. Texts that are used often are prepared under names, so that
 * the server does not parse, analyze and usually plan them again: about half of the time of a page's
 * statements (measured; `npm run bench -- reads postgres`).
 */
export class NamedReads {
  private readonly hasNames: boolean
  /** By text. */
  private readonly names = new Map<string, string>()
  private readonly useCounts = new Map<string, number>()
  /** The number of names ever given, because a connection may still have earlier ones. */
  private nameCount = 0
  /** When the first of the names was given. */
  private namedSince = 0
  /** When each connection made new plans, by the monotonic clock. */
  private readonly plannedAt = new WeakMap<ClientBase, number>()

  private readonly now: () => number

  /** `hasNames`: see `hasPreparedNames`. `now`: the monotonic clock. */
  constructor(hasNames: boolean, now = () => performance.now()) {
    this.hasNames = hasNames
    this.now = now
  }

  async query(
    client: ClientBase,
    text: string,
    values: unknown[],
  ): Promise<QueryResult<Record<string, unknown>>> {
    const name = this.hasNames && values.length > 0 ? this.findName(text) : undefined
    if (name === undefined) return client.query<Record<string, unknown>>(text, values)
    this.renewPlans(client)
    return client.query<Record<string, unknown>>({ name, text, values })
  }

  private findName(text: string): string | undefined {
    const isFull = this.names.size >= limits.namedReads
    if (isFull && this.now() - this.namedSince >= limits.namedReadsMs) this.names.clear()
    const known = this.names.get(text)
    if (known !== undefined || this.names.size >= limits.namedReads) return known
    const useCount = (this.useCounts.get(text) ?? 0) + 1
    if (useCount < limits.namedReadUses) {
      if (this.useCounts.size >= mostCounted) this.useCounts.clear()
      this.useCounts.set(text, useCount)
      return undefined
    }
    this.useCounts.delete(text)
    if (this.names.size === 0) this.namedSince = this.now()
    const name = `read${this.nameCount}`
    this.nameCount += 1
    this.names.set(text, name)
    return name
  }

  private renewPlans(client: ClientBase): void {
    const now = this.now()
    const plannedAt = this.plannedAt.get(client)
    if (plannedAt !== undefined && now - plannedAt < planMs) return
    this.plannedAt.set(client, now)
    // Sent before the statement. The statement itself reports a lost connection.
    if (plannedAt !== undefined) client.query('DISCARD PLANS').catch(() => undefined)
  }
}
