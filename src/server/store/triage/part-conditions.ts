import type { IssueKey } from '#server/store/issues/records.ts'
import { toFragment, type PartStatements } from './part-statements.ts'
import { parseReopenCondition, type ArchiveCondition } from './reopen-condition.ts'

/** The counts of an issue or a part to which the limits of an archive refer. */
export interface ArchiveCounts {
  eventCount: number
  userCount: number
}

/** Where an issue or a part is stored. */
type CountedTable = 'issues' | 'issue_parts'

/** Reads the counts of an issue or a part; undefined if there is none. */
export function readArchiveCounts(
  { all }: PartStatements,
  { projectId, issueId }: IssueKey,
  table: CountedTable = 'issues',
): ArchiveCounts | undefined {
  const [row] = all`SELECT event_count, user_count FROM ${toFragment(table)}
    WHERE project_id = ${projectId} AND id = ${issueId}`
  return row && { eventCount: Number(row['event_count']), userCount: Number(row['user_count']) }
}

/**
 * Moves the limits of an archived issue or part with its counts, which a merge or an unmerge has changed from
 * `before`: as many further events and users as before reopen it. The count of the current hour begins again.
 */
export function moveArchiveLimits(
  statements: PartStatements,
  { projectId, issueId }: IssueKey,
  { before, table = 'issues' }: { before: ArchiveCounts | undefined; table?: CountedTable },
): void {
  const { all, run } = statements
  const from = toFragment(table)
  const [row] = all`SELECT reopen_condition FROM ${from}
    WHERE project_id = ${projectId} AND id = ${issueId} AND status = 'archived'`
  const condition = parseReopenCondition(row?.['reopen_condition'])
  const after = readArchiveCounts(statements, { projectId, issueId }, table)
  if (condition?.kind !== 'archive' || before === undefined || after === undefined) return
  const moved = JSON.stringify(moveLimits(condition, before, after))
  run`UPDATE ${from} SET reopen_condition = ${moved} WHERE project_id = ${projectId} AND id = ${issueId}`
}

function moveLimits(condition: ArchiveCondition, before: ArchiveCounts, after: ArchiveCounts) {
  const { eventCount, userCount, hour: _, ...others } = condition
  const move = (limit: number | undefined, counted: keyof ArchiveCounts) =>
    limit === undefined ? undefined : Math.max(0, limit + after[counted] - before[counted])
  return {
    ...others,
    eventCount: move(eventCount, 'eventCount'),
    userCount: move(userCount, 'userCount'),
  } satisfies ArchiveCondition
}
