import { setTimeout as delay } from 'node:timers/promises'
import type { KyselyPlugin } from 'kysely'
import { onPostgres } from './engine.ts'

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

/**
 * The maximum number of sequential rounds of statements of one screen. Not counted on PostgreSQL: there
 * statements run at the same time, and one whose predecessor is slow counts as later than it is.
 */
export const mostRounds = onPostgres ? Number.POSITIVE_INFINITY : 3

/**
 * Time after which rows arrive, as over a network. Without it the rows of one statement arrive before another
 * part of the screen has sent its statement of the same round.
 */
const latencyMs = 10

/** More than enough attempts to read without what a server reads by itself. */
const attempts = 5

/**
 * The fewest rounds of some attempts. What a server reads by itself now and then counts as well: a session
 * that is verified again, or a queue. Ends as soon as there are only `enough`.
 */
export async function findFewestRounds(
  count: () => Promise<Pick<ReadCounts, 'roundCount'>>,
  enough: number,
): Promise<number> {
  let fewest = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < attempts && fewest > enough; attempt += 1)
    fewest = Math.min(fewest, (await count()).roundCount)
  return fewest
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
      async transformResult({ queryId, result }) {
        await delay(latencyMs)
        const { statementCount, roundCount } = counts
        const round = requestedIn.get(queryId) ?? 0
        counts = { statementCount: statementCount + 1, roundCount: Math.max(roundCount, round) }
        return result
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
