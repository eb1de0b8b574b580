import { limits } from '#server/limits.ts'
import { issueStatuses, type IssueStatus } from '#server/store/issues/records.ts'
import type { Db } from '#server/store/schema/database.ts'
import { evaluateCandidates, readCandidates } from './candidates.ts'
import { createOrder } from './order.ts'
import { planScan, planSearch, type IssueFilter } from './plan.ts'
import { scanIssues } from './scan.ts'

/**
 * The ids of all issues of a filter, or the reason why they are not listed: too many results, or too many
 * rows to scan.
 */
export type IssueIds = { ok: true; issueIds: number[] } | { ok: false; reason: 'too-many' | 'too-long' }

/** The ids of all issues of a filter in some statuses, at most `limits.issuesPerBulkChange`. */
export async function listIssueIds(
  db: Db,
  { statuses, ...filter }: IssueFilter & { statuses: readonly IssueStatus[] },
): Promise<IssueIds> {
  const plan = await planSearch(db, filter)
  const { context, drivingTerm } = plan
  if (context.projects.length === 0) return { ok: true, issueIds: [] }
  const startedAt = performance.now()
  const isOver = () => performance.now() - startedAt > limits.bulkSearchMs
  const order = createOrder('last_seen', false)
  const fulfilled = drivingTerm?.condition
  const scanPlan = planScan(plan, { statuses, sort: 'last_seen', fulfilled })
  const issueIds: number[] = []
  if (drivingTerm !== undefined) {
    const candidates = await readCandidates(db, { drivingTerm, scanPlan, context, order })
    const listed = candidates.filter(({ status }) => scanPlan.statuses.some((each) => each === status))
    const { found, open } = await evaluateCandidates(db, listed, { scanPlan, context, isOver })
    if (open.length > 0) return { ok: false, reason: 'too-long' }
    return { ok: true, issueIds: found.map(({ issueId }) => issueId) }
  }
  for (const status of issueStatuses.filter((each) => scanPlan.statuses.includes(each))) {
    const limit = limits.issuesPerBulkChange - issueIds.length + 1
    const bounds = { limit, most: Number.MAX_SAFE_INTEGER, isOver }
    const { found, end } = await scanIssues(db, { scanPlan, context, status, order, ...bounds })
    if (end !== undefined) return { ok: false, reason: 'too-long' }
    issueIds.push(...found.map(({ issueId }) => issueId))
    if (issueIds.length > limits.issuesPerBulkChange) return { ok: false, reason: 'too-many' }
  }
  return { ok: true, issueIds }
}
