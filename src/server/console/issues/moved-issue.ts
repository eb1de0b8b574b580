import { findShortId } from '#search/direct-target.ts'
import { parseIssueId } from '#server/store/issues/id.ts'
import type { Db } from '#server/store/schema/database.ts'
import { findIssueByShortId, findMergedInto } from '#server/store/triage/merged-issue.ts'

/** The redirect target of a path with a merged issue or a short id. */
export interface MovedIssue {
  movedTo: string
}

/**
 * The issue with a short id, or the one that the issue with an id was merged into, in any of the projects;
 * undefined if there is none. One statement at most. `issueId` is the text in the URL.
 */
export async function findMovedIssue(
  db: Db,
  { issueId, projectIds }: { issueId: string; projectIds: readonly number[] },
): Promise<MovedIssue | undefined> {
  const id = parseIssueId(issueId)
  const called = id === undefined ? findShortId(issueId) : undefined
  const movedTo =
    id === undefined
      ? called && (await findIssueByShortId(db, { projectIds, ...called }))
      : await findMergedInto(db, { issueId: id, projectIds })
  return movedTo === undefined ? undefined : { movedTo: String(movedTo) }
}

/** The URL of the issue or a page below it, with the same search as the requested one. */
export function movedPageHref(
  { movedTo }: MovedIssue,
  page: '' | '/events' | '/tags' | '/alerts',
  search: Readonly<Record<string, string | undefined>> = {},
): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) if (value !== undefined) query.append(name, value)
  return `/issues/${movedTo}${page}${query.size === 0 ? '' : `?${query.toString()}`}`
}
