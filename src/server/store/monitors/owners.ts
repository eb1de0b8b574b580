import { parseOwner } from '#monitors/owner.ts'
import { listOwnerCandidates } from '#server/store/projects/ownership.ts'
import type { Db, Tx } from '#server/store/schema/database.ts'
import { startSystemAction } from '#server/store/triage/activity.ts'
import { changeState, selectIssues } from '#server/store/triage/changed-issues.ts'
import { selectIdsWithParts } from '#server/store/triage/merged-issue.ts'
import { findOwnerUser, type OwnerCandidate } from '#source-links/owners/find-owners.ts'
import type { Monitor } from './monitors.ts'

/** The user to whom an owner refers, by id, address or name; undefined for a team or unknown user. */
export function findMonitorOwner<User extends OwnerCandidate>(
  owner: string,
  users: readonly User[],
): User | undefined {
  const id = owner.replace(/^user:/, '')
  return users.find(({ userId }) => userId === id) ?? findOwnerUser(owner, users)
}

/** An owner that a user entered, as it is stored, or the reason why it is invalid. */
export type EnteredOwner = { ok: true; owner: string | undefined } | { ok: false; problem: string }

/** Parses an entered owner: empty, a team, or the id, the address or the name of a user. One statement. */
export async function readEnteredOwner(db: Db, projectId: number, entered: string): Promise<EnteredOwner> {
  const name = entered.trim()
  if (name === '') return { ok: true, owner: undefined }
  const team = name.startsWith('team:') ? parseOwner(name) : undefined
  if (team !== undefined) return { ok: true, owner: team }
  const user = findMonitorOwner(name, await listOwnerCandidates(db, projectId))
  if (user !== undefined) return { ok: true, owner: `user:${user.userId}` }
  return { ok: false, problem: 'No user with access to the project has this address or name.' }
}

/**
 * Assigns an issue to the owner of its monitor, once: not if it was ever assigned or unassigned. Call inside
 * a transaction. `now`: Unix milliseconds.
 */
export async function assignToMonitorOwner(
  tx: Tx,
  { projectId, settings: { owner } }: Pick<Monitor, 'projectId' | 'settings'>,
  { issueId, now }: { issueId: number; now: number },
): Promise<void> {
  if (owner === undefined) return
  const [issue] = await selectIssues(tx, { issueIds: [issueId], projectIds: [projectId] })
  if (issue === undefined || issue.state.assigneeId !== null) return
  const before = await tx
    .selectFrom('issue_activity')
    .select('id')
    .where('project_id', '=', projectId)
    .where('issue_id', 'in', selectIdsWithParts(tx, { projectId, issueId }))
    .where('kind', '=', 'assigned')
    .limit(1)
    .executeTakeFirst()
  if (before !== undefined) return
  const user = findMonitorOwner(owner, await listOwnerCandidates(tx, projectId))
  if (user === undefined) return
  await changeState(tx, startSystemAction(now), {
    issue,
    event: { kind: 'assign', assigneeId: user.userId },
  })
}
