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
 * statements (measured).
 */
export class NamedReads {
  private readonly hasNames: boolean
  /** By text. */
  private readonly names = new Map<string, string>()
  private readonly useCounts = new Map<string, number>()
  /** When each connection made new plans, by the monotonic clock. */
  private readonly plannedAt = new WeakMap<ClientBase, number>()

  /** See `hasPreparedNames`. */
  constructor(hasNames: boolean) {
    this.hasNames = hasNames
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
    const known = this.names.get(text)
    if (known !== undefined || this.names.size >= limits.namedReads) return known
    const useCount = (this.useCounts.get(text) ?? 0) + 1
    if (useCount < limits.namedReadUses) {
      if (this.useCounts.size >= mostCounted) this.useCounts.clear()
      this.useCounts.set(text, useCount)
      return undefined
    }
    this.useCounts.delete(text)
    const name = `read${this.names.size}`
    this.names.set(text, name)
    return name
  }

  private renewPlans(client: ClientBase): void {
    const now = performance.now()
    const plannedAt = this.plannedAt.get(client)
    if (plannedAt !== undefined && now - plannedAt < planMs) return
    this.plannedAt.set(client, now)
    // Sent before the statement. The statement itself reports a lost connection.
    if (plannedAt !== undefined) client.query('DISCARD PLANS').catch(() => undefined)
  }
}
