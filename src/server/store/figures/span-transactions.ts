import type { Kysely } from 'kysely'
import { limits } from '#server/limits.ts'
import type { Database } from '#server/store/schema/database.ts'
import { dayOf } from '#time/time-steps.ts'
import { otherName } from '#traces/transaction-name.ts'
import { transactionFacet } from './name-id.ts'
import { readFigures, type FigureRange } from './read-figures.ts'

/** A transaction with the counts of its spans of one group. */
export interface TransactionOfSpans {
  /** Undefined for those that are not counted apart. */
  nameId: number | undefined
  op: string
  name: string
  count: number
  /** Microseconds. */
  sum: number
}

/**
 * The transactions that have spans of a group, the largest sum first. Rows of spans have a hash of the name
 * of their transaction, so the names of the range are hashed. Two statements in one round.
 */
export async function listSpanTransactions(
  db: Kysely<Database>,
  {
    groupId,
    projectId,
    ...steps
  }: Pick<FigureRange, 'step' | 'from' | 'to'> & { groupId: number; projectId: number },
): Promise<TransactionOfSpans[]> {
  const [rows, names] = await Promise.all([
    readFigures(db, { projectIds: [projectId], series: 'span', ...steps, nameIds: [groupId], by: 'facet' }),
    db
      .selectFrom('figure_names')
      .select(['id', 'op', 'name'])
      .where('project_id', '=', projectId)
      .where('kind', '=', 'transaction')
      .where('seen_day', '>=', dayOf(steps.from))
      .orderBy('seen_day', 'desc')
      .limit(limits.figureNamesHashed)
      .execute(),
  ])
  const byFacet = new Map(names.toReversed().map((name) => [transactionFacet(name.name), name]))
  return rows
    .map(({ facet, sums: { count, sum } }) => {
      const { id, op = '', name = otherName } = byFacet.get(facet) ?? {}
      return { nameId: id, op, name, count, sum }
    })
    .toSorted((one, other) => other.sum - one.sum)
}
