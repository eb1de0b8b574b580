import { sql, type Expression } from 'kysely'
import { builtInRules } from '#alerts/built-in-rules.ts'
import { toNoticeKey, type AlertNotice } from '#alerts/notice.ts'
import { isOneOf, numbersOf, perEngine } from '#server/store/engine/per-engine.ts'
import { readProjectOwnership, type ProjectOwnership } from '#server/store/projects/ownership.ts'
import type { Db } from '#server/store/schema/database.ts'
import { listAlertMutes, type StoredMute } from './mutes.ts'
import { noIssueId, parseNotice, type WaitingTransition } from './queue.ts'
import { readAlertReceivers, type AlertReceivers } from './receivers.ts'
import { createRuleIndex, type RuleIndex } from './rule-index.ts'
import { parseRuleIds, selectDecidedRules } from './rule-sets.ts'
import { listAlertRules, type KnownRules, type StoredRule } from './rules.ts'
import { readAlertIssues, readIssueSubjects, type AlertIssueState, type IssueSubject } from './subjects.ts'
import { isInTrouble } from './troubles.ts'

/** The data for decisions about transitions of a project that does not depend on issues. */
export interface ProjectState {
  organizationId: number
  projectId: number
  /** The rules of the project and its organization, and the built-in ones. */
  index: RuleIndex
  mutes: readonly StoredMute[]
  receivers: AlertReceivers
  /** Absent if the settings name no owners. */
  ownership?: ProjectOwnership | undefined
}

/** Earlier transitions of issues. */
export interface IssueHistory {
  /** Users who have commented, by issue. */
  commenters: ReadonlyMap<number, string[]>
  /** The time of a rule's last message, by `toLastKey`. The decisions update it. */
  lastSentAt: Map<string, number>
}

/** The data for decisions about transitions of a project. */
export interface ProjectAlerts extends ProjectState, IssueHistory {
  /** True while spike protection counts events: alerts of the project's issues wait for a digest. */
  isFlooded: boolean
  /** `lastSentAt` before the decisions. */
  sentBefore: ReadonlyMap<string, number>
  /** By the issue id in the queue. */
  issues: ReadonlyMap<number, AlertIssueState>
  /** Issues of transitions that no event caused. */
  subjects: ReadonlyMap<number, IssueSubject>
  /** By rule: the end of the current quiet hours. The decisions fill it. */
  quietEnds: Map<string, number>
}

/** What the throttle of a rule counts separately: an issue, or a release or ingest problem of a project. */
export interface ThrottledSubject {
  issueId: number
  notice?: Pick<AlertNotice, 'about' | 'subject'> | undefined
}

/** The key in `lastSentAt`. */
export function toLastKey({ issueId, notice }: ThrottledSubject, ruleId: string): string {
  return `${issueId} ${ruleId} ${notice === undefined ? '' : toNoticeKey(notice)}`
}

/** The project and the time. */
interface StateOptions {
  organizationId: number
  projectId: number
  /** Unix milliseconds. Only mutes that end later are read. */
  now: number
  knownRules?: KnownRules
}

/** Reads the data for decisions about transitions of a project, in at most 18 statements. */
export async function readProjectAlerts(
  db: Db,
  {
    transitions,
    ...options
  }: StateOptions & { transitions: readonly Pick<WaitingTransition, 'issueId' | 'cause'>[] },
): Promise<ProjectAlerts> {
  const { projectId } = options
  const issueIds = [...new Set(transitions.map(({ issueId }) => issueId))]
  const eventless = transitions.filter(({ issueId, cause }) => issueId !== noIssueId && !cause.paths)
  const [state, isFlooded, issues, subjects] = await Promise.all([
    readProjectState(db, options),
    isInTrouble(db, projectId, 'spike'),
    readAlertIssues(db, { projectId, issueIds }),
    readIssueSubjects(db, { projectId, issueIds: eventless.map(({ issueId }) => issueId) }),
  ])
  const ids = [...new Set([...issues.values()].map(({ issueId }) => issueId))]
  const decidedIds = issueIds.includes(noIssueId) ? [...ids, noIssueId] : ids
  const history = await readIssueHistory(db, { projectId, issueIds: decidedIds, rules: state.index.rules })
  const sentBefore = new Map(history.lastSentAt)
  return { ...state, ...history, sentBefore, isFlooded, issues, subjects, quietEnds: new Map() }
}

/** Reads the data that does not depend on issues. Eight statements in parallel. */
export async function readProjectState(db: Db, options: StateOptions): Promise<ProjectState> {
  const { organizationId, projectId, now } = options
  const [index, mutes, receivers, ownership] = await Promise.all([
    readRuleIndex(db, options),
    listAlertMutes(db, { organizationId, now }),
    readAlertReceivers(db, { organizationId, projectId }),
    readProjectOwnership(db, projectId),
  ])
  return { organizationId, projectId, index, mutes, receivers, ownership }
}

/** Reads earlier transitions of issues and of those merged into them. Two statements in parallel. */
export async function readIssueHistory(
  db: Db,
  {
    projectId,
    issueIds,
    rules,
  }: { projectId: number; issueIds: readonly number[]; rules: readonly Pick<StoredRule, 'rule'>[] },
): Promise<IssueHistory> {
  const issues = { projectId, issueIds }
  const [commenters, lastSentAt] = await Promise.all([
    listCommenters(db, issues),
    // Each sent transition is a row, and they are read only if a rule has a throttle.
    rules.some(({ rule }) => rule.throttleMs > 0) ? readLastSentAt(db, issues) : new Map<string, number>(),
  ])
  return { commenters, lastSentAt }
}

/** The rules that apply to a project: its own, those of the organization, and the built-in ones. */
async function readRuleIndex(
  db: Db,
  { organizationId, projectId, knownRules }: Omit<StateOptions, 'now'>,
): Promise<RuleIndex> {
  const stored = await listAlertRules(db, organizationId, knownRules)
  const known = knownRules?.indexes.get(projectId)
  if (known?.of === stored) return known.index
  const own = stored.filter((rule) => rule.projectId === undefined || rule.projectId === projectId)
  const builtIn = [...builtInRules].map(([id, rule]): StoredRule => ({
    id,
    organizationId,
    rule,
    createdAt: 0,
  }))
  const index = createRuleIndex([...own, ...builtIn])
  knownRules?.indexes.set(projectId, { of: stored, index })
  return index
}

interface ProjectIssues {
  projectId: number
  issueIds: readonly number[]
}

/**
 * True if a column is one of the issues, or an issue merged into one of them. One list: for an "or" of two
 * conditions, and for a subquery that is not an array, PostgreSQL reads the rows of every issue.
 */
function isOfIssues(column: Expression<unknown>, { projectId, issueIds }: ProjectIssues) {
  const json = JSON.stringify(issueIds)
  const list = sql`select q.id from issue_parts q
    where q.project_id = ${projectId} and ${isOneOf(sql.ref('q.issue_id'), json)}
    union all select n.value from ${numbersOf(json)} as n`
  return perEngine<boolean>({
    sqlite: sql`${column} in (${list})`,
    postgres: sql`${column} = any (array(${list}))`,
  })
}

async function listCommenters(
  db: Db,
  { projectId, issueIds }: ProjectIssues,
): Promise<Map<number, string[]>> {
  const rows = await db
    .selectFrom('issue_activity as a')
    .leftJoin('issue_parts as p', (on) =>
      on.onRef('p.project_id', '=', 'a.project_id').onRef('p.id', '=', 'a.issue_id'),
    )
    .select([sql<number>`coalesce(p.issue_id, a.issue_id)`.as('issue_id'), 'a.user_id'])
    .distinct()
    .where('a.project_id', '=', projectId)
    .where(isOfIssues(sql.ref('a.issue_id'), { projectId, issueIds }))
    .where('a.kind', '=', 'comment')
    .execute()
  const byIssue = new Map<number, string[]>()
  for (const { issue_id, user_id } of rows)
    if (user_id !== null) byIssue.set(issue_id, [...(byIssue.get(issue_id) ?? []), user_id])
  return byIssue
}

/** The time of the last message of each rule about each of the issues, by `toLastKey`. One statement. */
export async function readLastSentAt(
  db: Db,
  { projectId, issueIds }: ProjectIssues,
): Promise<Map<string, number>> {
  const rows = await selectDecidedRules(db)
    .leftJoin('issue_parts as p', (on) =>
      on.onRef('p.project_id', '=', 'd.project_id').onRef('p.id', '=', 'd.issue_id'),
    )
    .select([
      sql<number>`coalesce(p.issue_id, d.issue_id)`.as('issue_id'),
      'd.rule_id',
      's.rule_ids',
      'd.notice',
    ])
    .select((of) => of.fn.max('d.decided_at').as('last_at'))
    .where('d.project_id', '=', projectId)
    .where(isOfIssues(sql.ref('d.issue_id'), { projectId, issueIds }))
    .where('d.result', '=', 'sent')
    .groupBy([sql`coalesce(p.issue_id, d.issue_id)`, 'd.rule_id', 's.rule_ids', 'd.notice'])
    .execute()
  const lastSentAt = new Map<string, number>()
  for (const row of rows)
    for (const ruleId of parseRuleIds(row)) {
      const key = toLastKey({ issueId: row.issue_id, notice: parseNotice(row.notice) }, ruleId)
      lastSentAt.set(key, Math.max(row.last_at, lastSentAt.get(key) ?? 0))
    }
  return lastSentAt
}
