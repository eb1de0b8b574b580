/** What clients know about the events they sent: the expected content of a store after a fault. */
export interface Ledger {
  /** Every sent event id, once. */
  sent: Set<string>
  /** Answered 200, the whole answer read. */
  acked: Set<string>
  /** Answered otherwise, by id, with the status. */
  rejected: Map<string, number>
  /** Neither: the connection broke first, so the event may be stored or not. */
  unknown: Set<string>
}

/** An empty ledger. */
export function createLedger(): Ledger {
  return { sent: new Set(), acked: new Set(), rejected: new Map(), unknown: new Set() }
}

/** The content of a store. */
export interface StoreTotals {
  /** The ids of all event rows. */
  ids: string[]
  /** Every counter that must equal the number of rows, by its name. */
  counters: Record<string, number>
  /** Differences between the counters of upstreams and the outbox. */
  wrongUpstreamSums: string[]
  /** The result of `PRAGMA integrity_check`. */
  integrity: string
}

/**
 * Every difference between a store and a ledger, one line each; empty when acked ⊆ stored ⊆ sent, no id is
 * stored twice, every counter equals the rows, including those of upstreams, and the file is sound.
 */
export function findViolations(ledger: Ledger, totals: StoreTotals): string[] {
  const stored = new Set(totals.ids)
  const lostCount = [...ledger.acked].filter((id) => !stored.has(id)).length
  const inventedCount = totals.ids.filter((id) => !ledger.sent.has(id)).length
  const doubleCount = totals.ids.length - stored.size
  return [
    ...(lostCount > 0 ? [`${lostCount} of ${ledger.acked.size} acknowledged events are lost`] : []),
    ...(inventedCount > 0 ? [`${inventedCount} events are stored that nobody sent`] : []),
    ...(doubleCount > 0 ? [`${doubleCount} events are stored twice`] : []),
    ...Object.entries(totals.counters)
      .filter(([, count]) => count !== totals.ids.length)
      .map(([counter, count]) => `${counter} counts ${count} events, there are ${totals.ids.length}`),
    ...totals.wrongUpstreamSums,
    ...(totals.integrity === 'ok' ? [] : [`the file is damaged: ${totals.integrity}`]),
  ]
}
