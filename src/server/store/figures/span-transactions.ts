import { limits } from '#server/limits.ts'
import type { Db } from '#server/store/schema/database.ts'
import { dayOf } from '#time/time-steps.ts'
import { otherName, type NamedTransaction } from '#traces/transaction-name.ts'
import { facetsOfTransaction } from './name-id.ts'
import { readFigures, type FigureRange } from './read-figures.ts'

/** A transaction with the counts of its spans in one group. */
export interface TransactionOfSpans extends NamedTransaction {
  /** Undefined if it is not counted separately, or if only its name is known. */
  nameId: number | undefined
  count: number
  /** Microseconds. */
  sum: number
}

/**
 * The transactions with spans in a group, the largest sum first. Rows of spans contain a hash of their
 * transaction, so the names of the range are hashed. Two statements in parallel.
 */
export async function listSpanTransactions(
  db: Db,
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
  const byFacet = toTransactionsByFacet(names)
  const found = new Map<string, TransactionOfSpans>()
  for (const { facet, sums } of rows) {
    const { id: nameId, op, name } = byFacet.get(facet) ?? { id: undefined, op: '', name: otherName }
    const key = `${nameId} ${name}`
    const { count = 0, sum = 0 } = found.get(key) ?? {}
    found.set(key, { nameId, op, name, count: count + sums.count, sum: sum + sums.sum })
  }
  return [...found.values()].toSorted((one, other) => other.sum - one.sum)
}

interface FacetTransaction extends NamedTransaction {
  /** Undefined for one of several transactions with the name. */
  id: number | undefined
}

function toTransactionsByFacet(
  names: readonly (NamedTransaction & { id: number })[],
): Map<string, FacetTransaction> {
  const byFacet = new Map<string, FacetTransaction>()
  for (const [name, ofName] of Map.groupBy(names, (each) => each.name)) {
    const [only, second] = ofName
    const isUnclear = second !== undefined
    if (only !== undefined)
      byFacet.set(facetsOfTransaction(only).shared, isUnclear ? { id: undefined, op: '', name } : only)
    for (const transaction of ofName) byFacet.set(facetsOfTransaction(transaction).own, transaction)
  }
  return byFacet
}
