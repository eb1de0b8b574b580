import type { Kysely } from 'kysely'
import { builtInRules } from '#alerts/built-in-rules.ts'
import type { AlertTransition } from '#alerts/transition.ts'
import { readProjectOwnership, type ProjectOwnership } from '#server/store/projects/ownership.ts'
import type { Database } from '#server/store/schema/database.ts'
import { listAlertMutes } from './mutes.ts'
import type { StoredMute } from './mutes.ts'
import { noIssueId } from './queue.ts'
import { readAlertReceivers } from './receivers.ts'
import type { AlertReceivers } from './receivers.ts'
import { listAlertRules } from './rules.ts'
import type { KnownRules, StoredRule } from './rules.ts'
import { readAlertIssues } from './subjects.ts'
import type { AlertIssueState } from './subjects.ts'

/** What decisions about transitions of a project need. */
export interface ProjectAlerts {
  organizationId: number
  projectId: number
  /** Of the project, of its organization, and the built-in ones. */
  rules: readonly StoredRule[]
  /** Those about a transition. Filled by the decisions. */
  rulesByKind: Map<AlertTransition, readonly StoredRule[]>
  mutes: readonly StoredMute[]
  receivers: AlertReceivers
  /** Absent where nothing names owners. */
  ownership?: ProjectOwnership
  /** By the id under which a transition was queued. */
  issues: ReadonlyMap<number, AlertIssueState>
  /** Users who have commented, by issue. */
  commenters: ReadonlyMap<number, string[]>
  /** By issue and rule, separated by a space: the time of the rule's last message about it. */
  lastSentAt: Map<string, number>
  /** By rule: when the quiet hours end that are now. Filled by the decisions. */
  quietEnds: Map<string, number>
}

/** The project and the issues of some transitions. */
interface ProjectTransitions {
  organizationId: number
  projectId: number
  transitions: readonly { issueId: number }[]
  /** Unix milliseconds. */
  now: number
  knownRules?: KnownRules
}

/** Reads what decisions about a project's transitions need, in twelve statements whatever their number. */
export async function readProjectAlerts(
  db: Kysely<Database>,
  { organizationId, projectId, transitions, now, knownRules }: ProjectTransitions,
): Promise<ProjectAlerts> {
  const issueIds = [...new Set(transitions.map(({ issueId }) => issueId))]
  const [rules, mutes, receivers, ownership, issues] = await Promise.all([
    listProjectRules(db, { organizationId, projectId, knownRules }),
    listAlertMutes(db, { organizationId, now }),
    readAlertReceivers(db, { organizationId, projectId }),
    readProjectOwnership(db, projectId),
    readAlertIssues(db, { projectId, issueIds }),
  ])
  const ids = [...new Set([...issues.values()].map(({ issueId }) => issueId))]
  const decidedIds = issueIds.includes(noIssueId) ? [...ids, noIssueId] : ids
  const [commenters, lastSentAt] = await Promise.all([
    listCommenters(db, { projectId, issueIds: ids }),
    // A sent transition is a row per rule; rows are read only if one of them is due.
    rules.some(({ rule }) => rule.throttleMs > 0)
      ? readLastSentAt(db, { projectId, issueIds: decidedIds })
      : new Map<string, number>(),
  ])
  const known = { rules, mutes, receivers, ownership, issues, commenters, lastSentAt }
  return { organizationId, projectId, ...known, rulesByKind: new Map(), quietEnds: new Map() }
}

/** The rules that apply to a project: its own, those of the organization, and the built-in ones. */
export async function listProjectRules(
  db: Kysely<Database>,
  {
    organizationId,
    projectId,
    knownRules,
  }: { organizationId: number; projectId: number; knownRules?: KnownRules },
): Promise<StoredRule[]> {
  const stored = await listAlertRules(db, organizationId, knownRules)
  const own = stored.filter((rule) => rule.projectId === undefined || rule.projectId === projectId)
  const builtIn = [...builtInRules].map(([id, rule]): StoredRule => ({
    id,
    organizationId,
    rule,
    createdAt: 0,
  }))
  return [...own, ...builtIn]
}

interface ProjectIssues {
  projectId: number
  issueIds: readonly number[]
}

async function listCommenters(
  db: Kysely<Database>,
  { projectId, issueIds }: ProjectIssues,
): Promise<Map<number, string[]>> {
  const rows = await db
    .selectFrom('issue_activity')
    .select(['issue_id', 'user_id'])
    .distinct()
    .where('project_id', '=', projectId)
    .where('issue_id', 'in', issueIds)
    .where('kind', '=', 'comment')
    .execute()
  const byIssue = new Map<number, string[]>()
  for (const { issue_id, user_id } of rows)
    if (user_id !== null) byIssue.set(issue_id, [...(byIssue.get(issue_id) ?? []), user_id])
  return byIssue
}

async function readLastSentAt(
  db: Kysely<Database>,
  { projectId, issueIds }: ProjectIssues,
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('alert_decisions')
    .select(['issue_id', 'rule_id'])
    .select((of) => of.fn.max('decided_at').as('last_at'))
    .where('project_id', '=', projectId)
    .where('issue_id', 'in', issueIds)
    .where('result', '=', 'sent')
    .groupBy(['issue_id', 'rule_id'])
    .execute()
  return new Map(rows.map(({ issue_id, rule_id, last_at }) => [`${issue_id} ${rule_id}`, last_at]))
}
