import type { KyselyPlugin } from 'kysely'

/** Counts the reads through `Store.db`. */
export interface ReadRounds {
  /** An option of the store. */
  plugin: KyselyPlugin
  /** Resolves with the reads of `work`. Nothing else may read at the same time. */
  count: (work: () => Promise<unknown>) => Promise<ReadCounts>
}

export interface ReadCounts {
  statementCount: number
  /**
   * Sequential round trips. Statements that are sent before the rows of any of them have arrived are one
   * round; a statement that is sent after the rows of round `n` have arrived is of round `n + 1`.
   */
  roundCount: number
}

/** A new counter. */
export function createReadRounds(): ReadRounds {
  let requestedIn = new WeakMap<object, number>()
  let counts: ReadCounts = { statementCount: 0, roundCount: 0 }
  return {
    plugin: {
      transformQuery({ node, queryId }) {
        requestedIn.set(queryId, counts.roundCount + 1)
        return node
      },
      transformResult({ queryId, result }) {
        const { statementCount, roundCount } = counts
        const round = requestedIn.get(queryId) ?? 0
        counts = { statementCount: statementCount + 1, roundCount: Math.max(roundCount, round) }
        return Promise.resolve(result)
      },
    },
    async count(work) {
      requestedIn = new WeakMap()
      counts = { statementCount: 0, roundCount: 0 }
      await work()
      return counts
    },
  }
}
