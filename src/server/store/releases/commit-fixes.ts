import { hash } from 'node:crypto'
import { limits } from '#server/limits.ts'
import type { Tx } from '#server/store/schema/database.ts'
import type { TriageAction } from '#server/store/triage/activity.ts'
import { changeState, selectIssues, type SelectedIssue } from '#server/store/triage/changed-issues.ts'
import { findIssueByShortId, selectIdsWithParts } from '#server/store/triage/merged-issue.ts'
import type { FixCommit } from '#server/store/triage/records.ts'
import type { ReleaseCondition } from '#server/store/triage/reopen-condition.ts'
import { findFixedIssues, type NamedIssue } from './fix-keywords.ts'
import { findLatestRelease } from './order.ts'
import type { ReleaseCommit } from './records.ts'

/** Where commit messages can resolve issues. */
export interface FixScope {
  /** Projects of the organization in which the token may change issues. */
  projectIds: readonly number[]
  /** The origin of this console: messages may name issues by their URLs. */
  origin: string
}

/** A release and its new commits. */
export interface FixingRelease {
  version: string
  commits: readonly ReleaseCommit[]
  scope: FixScope
  /** Unix milliseconds. */
  at: number
}

/**
 * Resolves the issues that commit messages fix, in the release. Call inside the transaction that stores the
 * commits. A commit resolves an issue only once: an issue that has regressed since is not changed, however
 * often and in whichever release a tool reports the commit again.
 */
export async function resolveFixedIssues(
  tx: Tx,
  { version, commits, scope, at }: FixingRelease,
): Promise<void> {
  let count = 0
  // Oldest first, so that the activity of an issue ends with the latest.
  for (const commit of commits.toReversed()) {
    const named = findFixedIssues(commit.message ?? '', scope.origin)
    if (named.length === 0) continue
    const action = { userId: null, at, actionId: toActionId(commit) }
    for (const each of named) {
      if (count >= limits.fixedIssuesPerRelease) return
      count += 1
      const issue = await findNamedIssue(tx, each, scope.projectIds)
      if (issue !== undefined && !(await hasActed(tx, issue, action))) {
        const condition = await toCondition(tx, issue.projectId, version)
        await changeState(tx, action, {
          issue,
          event: { kind: 'resolve', at, condition, commit: toFix(commit) },
        })
      }
    }
  }
}

/** The same for a commit in every release: an entry with this id shows that the commit was applied. */
function toActionId({ repository = '', id }: ReleaseCommit): string {
  return `commit-${hash('sha256', `${repository}\n${id}`).slice(0, 32)}`
}

async function findNamedIssue(
  tx: Tx,
  named: NamedIssue,
  projectIds: readonly number[],
): Promise<SelectedIssue | undefined> {
  const issueId = 'issueId' in named ? named.issueId : await findIssueByShortId(tx, { ...named, projectIds })
  if (issueId === undefined) return undefined
  const [issue] = await selectIssues(tx, { issueIds: [issueId], projectIds })
  return issue
}

async function hasActed(
  tx: Tx,
  { projectId, issueId }: SelectedIssue,
  { actionId }: TriageAction,
): Promise<boolean> {
  const row = await tx
    .selectFrom('issue_activity')
    .select('id')
    .where('project_id', '=', projectId)
    // A merged issue keeps its activity.
    .where('issue_id', 'in', selectIdsWithParts(tx, { projectId, issueId }))
    .where('action_id', '=', actionId)
    .executeTakeFirst()
  return row !== undefined
}

/** If another project has no such release, the fix is in its next one. */
async function toCondition(tx: Tx, projectId: number, version: string): Promise<ReleaseCondition | null> {
  const row = await tx
    .selectFrom('releases')
    .select('version')
    .where('project_id', '=', projectId)
    .where('version', '=', version)
    .executeTakeFirst()
  if (row !== undefined) return { kind: 'release', release: version }
  const latest = await findLatestRelease(tx, projectId)
  return latest === undefined ? null : { kind: 'next_release', after: latest.version }
}

function toFix({ id, repository, message = '', authorName }: ReleaseCommit): FixCommit {
  return { id, repository, subject: (message.split('\n', 1)[0] ?? '').slice(0, 200), authorName }
}
