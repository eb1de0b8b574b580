import * as v from 'valibot'
import type { AlertTransition } from '#alerts/transition.ts'
import { limits } from '#server/limits.ts'
import type { PastTransition } from '#server/store/alerts/thresholds/crossings.ts'
import type { Db } from '#server/store/schema/database.ts'
import { parseMentions } from '#server/store/triage/mentions.ts'

const assignment = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ after: v.object({ assigneeId: v.nullable(v.string()) }) }),
)

/** The newest transitions of a project or an issue, in order of time. Two statements. */
export async function listPastTransitions(
  db: Db,
  { projectId, issueId, since }: { projectId: number; issueId?: number; since: number },
): Promise<PastTransition[]> {
  const limit = limits.alertDryRunTransitions
  const created = db
    .selectFrom('issues')
    .select(['id', 'first_seen_at'])
    .where('project_id', '=', projectId)
    .where('first_seen_at', '>=', since)
    .$if(issueId !== undefined, (query) => query.where('id', '=', issueId ?? 0))
    .orderBy('first_seen_at', 'desc')
    .limit(limit)
    .execute()
  const changed = db
    .selectFrom('issue_activity')
    .select(['issue_id', 'kind', 'at', 'detail', 'user_id'])
    .where('project_id', '=', projectId)
    .where('at', '>=', since)
    .where((is) =>
      is.or([
        is('kind', 'in', ['regressed', 'reopened', 'assigned', 'comment']),
        // Resolved by no user: a monitor has recovered.
        is.and([is('kind', '=', 'status'), is('user_id', 'is', null)]),
      ]),
    )
    .$if(issueId !== undefined, (query) => query.where('issue_id', '=', issueId ?? 0))
    .orderBy('at', 'desc')
    .limit(limit)
    .execute()
  const [createdRows, changedRows] = await Promise.all([created, changed])
  const all = [
    ...createdRows.map((row): PastTransition => ({
      projectId,
      issueId: row.id,
      kind: 'new',
      at: row.first_seen_at,
    })),
    ...changedRows.flatMap((row) => toTransitions({ ...row, projectId })),
  ]
  return all.toSorted((one, other) => one.at - other.at).slice(-limit)
}

interface ActivityRow {
  projectId: number
  issue_id: number
  kind: string
  at: number
  detail: string
  user_id: string | null
}

/** The transitions of an activity entry, see `triage/transition-writer.ts`. */
function toTransitions({ projectId, issue_id: issueId, at, user_id, ...row }: ActivityRow): PastTransition[] {
  const kind = toTransition(row)
  if (kind === undefined) return []
  const past = { projectId, issueId, at, by: user_id ?? undefined }
  if (kind !== 'comment') return [{ ...past, kind }]
  const mentionedIds = parseMentions(row.detail)
    .map(({ userId }) => userId)
    .filter((id) => id !== user_id)
  if (mentionedIds.length === 0) return [{ ...past, kind }]
  return [
    { ...past, kind, mentionedIds },
    { ...past, kind: 'mention', mentionedIds },
  ]
}

function toTransition({ kind, detail }: Pick<ActivityRow, 'kind' | 'detail'>): AlertTransition | undefined {
  if (kind === 'regressed' || kind === 'comment') return kind
  if (kind === 'status') return isRecovery(detail) ? 'recovered' : undefined
  if (kind === 'reopened') return detail.includes('"reason":"escalation"') ? 'escalated' : 'unarchived'
  return isAssignment(detail) ? 'assigned' : undefined
}

const recovery = v.pipe(v.string(), v.parseJson(), v.object({ isRecovery: v.literal(true) }))

function isRecovery(detail: string): boolean {
  return v.safeParse(recovery, detail).success
}

/** False if the assignee was removed. */
function isAssignment(detail: string): boolean {
  const { success, output } = v.safeParse(assignment, detail)
  return success && output.after.assigneeId !== null
}
