/** What clients know about the events they sent: the truth that a store is compared with after a fault. */
export interface Ledger {
  /** Every event id that went out, each once. */
  sent: Set<string>
  /** Answered 200, the whole answer read. */
  acked: Set<string>
  /** Answered otherwise, by id, with the status. */
  rejected: Map<string, number>
  /** Neither: the connection broke first, so the event may be stored or not. */
  unknown: Set<string>
}

/** A ledger of nothing. */
export function createLedger(): Ledger {
  return { sent: new Set(), acked: new Set(), rejected: new Map(), unknown: new Set() }
}

/** What a store holds. */
export interface StoreTotals {
  /** Of every event row. */
  ids: string[]
  /** Every counter that must equal the number of rows, by its name. */
  counters: Record<string, number>
  /** What upstreams count otherwise than the outbox holds. */
  wrongUpstreamSums: string[]
  /** What `PRAGMA integrity_check` says. */
  integrity: string
}

/**
 * Everything a store and a ledger disagree about, one line each; empty when acked ⊆ stored ⊆ sent, no id is
 * stored twice, every counter equals the rows, those of upstreams too, and the file is sound.
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
