/**
 * Decides when a connection creates new plans for its prepared statements.
 *
 * PostgreSQL creates a plan for the size that a table has at that time, and keeps it until the table is
 * analyzed, which autovacuum does after a minute at the earliest. For an empty table every index seems as
 * good as the primary key: the plan may scan all rows of a project to find one. So plans are renewed whenever
 * the number of transactions has doubled, which bounds the growth of tables to a factor of two.
 */
export class PlanAge {
  private transactionCount = 0
  private renewAt = 1

  /** Counts a transaction that begins. Returns true if it needs new plans. */
  begin(): boolean {
    this.transactionCount += 1
    if (this.transactionCount <= this.renewAt) return false
    this.renewAt *= 2
    return true
  }
}
