/**
 * Decides when a connection makes new plans for its prepared statements.
 *
 * A plan is made from the size that a table has at that time, and is kept until the table is analyzed, which
 * autovacuum does after a minute at the earliest. In an empty table every index looks as good as the primary
 * key: the plan may read all rows of a project to find one. So plans are made again whenever the number of
 * transactions has doubled, and a table with it at most.
 */
export class PlanAge {
  private transactionCount = 0
  private renewAt = 1

  /** Counts a transaction that begins. Returns whether it is to make new plans. */
  begin(): boolean {
    this.transactionCount += 1
    if (this.transactionCount <= this.renewAt) return false
    this.renewAt *= 2
    return true
  }
}
