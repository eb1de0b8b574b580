import type { IssueListView } from '#server/console/issues/views.ts'
import type { IssueListRow, IssueMark, IssueSort } from '#server/store/issues/records.ts'

/** The stream as shown: issues that appeared since it was opened are withheld until the user shows them. */
export interface ShownIssueList extends IssueListView {
  pending?: PendingIssues
}

/** The new issues that the list does not show yet. */
export interface PendingIssues {
  count: number
  /** There are more than one page. */
  isMore: boolean
  /** The list including the new issues, in the server's order. */
  latest: IssueListView
  /** The progress marks of the shown list. */
  since: Pick<IssueListView, 'marks' | 'now'>
}

export interface MergeOptions {
  sort: IssueSort
  /** True for an issue that was changed in this tab: it is shown immediately. */
  isOwn: (issueId: string) => boolean
}

/**
 * Merges a reloaded list into the shown one without layout shifts: rows keep their positions, rows that no
 * longer match are removed, others are inserted in the server's order, and new issues are withheld.
 */
export function mergeReloadedList(
  shown: ShownIssueList,
  fresh: IssueListView,
  { sort, isOwn }: MergeOptions,
): ShownIssueList {
  const since = shown.pending?.since ?? { marks: shown.marks, now: shown.now }
  const freshById = new Map(fresh.issues.map((issue) => [issue.id, issue]))
  const last = fresh.nextCursor === undefined ? undefined : fresh.issues.at(-1)
  const isPushedOff = (issue: IssueListRow) => last !== undefined && isBehind(issue, last, sort)
  const kept = shown.issues.flatMap((issue) => freshById.get(issue.id) ?? (isPushedOff(issue) ? issue : []))
  const shownIds = new Set(shown.issues.map(({ id }) => id))
  const added = fresh.issues.filter(
    (issue) => !shownIds.has(issue.id) && !isOwn(issue.id) && isNewSince(issue, since),
  )
  const issues = insertOthers(kept, fresh.issues, new Set([...shownIds, ...added.map(({ id }) => id)]))
  // An empty list has no layout that could shift.
  if (issues.length === 0) return fresh
  const isCut = kept.some(({ id }) => !freshById.has(id)) && shown.nextCursor !== undefined
  return {
    ...fresh,
    issues,
    // The next page starts after the shown rows.
    ...(isCut && { nextCursor: shown.nextCursor }),
    ...(added.length > 0 && {
      pending: { count: added.length, isMore: added.length === fresh.issues.length, latest: fresh, since },
    }),
  }
}

/** Inserts the rows that are not withheld, each after its predecessor in the server's list. */
function insertOthers(
  kept: readonly IssueListRow[],
  fresh: readonly IssueListRow[],
  passedOver: ReadonlySet<string>,
): IssueListRow[] {
  const issues = [...kept]
  let before: string | undefined
  for (const issue of fresh) {
    const at = issues.findIndex(({ id }) => id === before) + 1
    if (!passedOver.has(issue.id)) issues.splice(at, 0, issue)
    if (issues.some(({ id }) => id === issue.id)) before = issue.id
  }
  return issues
}

/** True for an issue that appeared or was reopened since the shown list. */
function isNewSince(
  { shortId, project, statusChangedAt = 0 }: IssueListRow,
  { marks, now }: PendingIssues['since'],
): boolean {
  const number = Number.parseInt(shortId.slice(shortId.lastIndexOf('-') + 1), 36)
  return number > (marks[project.id]?.lastNumber ?? 0) || statusChangedAt > now
}

/** True for a row that now belongs to a later page. Rows do not contain the sort value of `trend`. */
function isBehind(row: IssueListRow, last: IssueListRow, sort: IssueSort): boolean {
  switch (sort) {
    case 'last_seen':
      return row.lastSeenAt <= last.lastSeenAt
    case 'first_seen':
      return row.firstSeenAt <= last.firstSeenAt
    case 'events':
      return row.eventCount <= last.eventCount
    case 'users':
      return row.userCount <= last.userCount
    case 'trend':
      break
  }
  return true
}

/** True when one of the projects has advanced past the shown list. */
export function hasMoved(
  { marks: shown }: Pick<IssueListView, 'marks'>,
  marks: Readonly<Record<number, IssueMark>>,
): boolean {
  return Object.entries(marks).some(([projectId, { lastNumber, reopenedCount }]) => {
    const known = shown[Number(projectId)]
    return known !== undefined && (lastNumber > known.lastNumber || reopenedCount > known.reopenedCount)
  })
}
