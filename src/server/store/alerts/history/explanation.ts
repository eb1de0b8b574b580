import type { AlertDecision } from '#alerts/decide.ts'
import { isProjectRule, type Names } from '#alerts/sentence.ts'
import type { AlertTransition } from '#alerts/transition.ts'
import { decideRule } from '#server/store/alerts/decide-rule.ts'
import { readIssueHistory, readProjectState } from '#server/store/alerts/project-alerts.ts'
import { toIssuePeople } from '#server/store/alerts/receivers.ts'
import { readIssueSubjects } from '#server/store/alerts/subjects.ts'
import { readThresholds } from '#server/store/alerts/thresholds/crossings.ts'
import type { Db } from '#server/store/schema/database.ts'
import { listPastTransitions } from './past-transitions.ts'

/** The evaluation of a rule for a transition of an issue. */
export interface RuleExplanation extends AlertDecision {
  ruleId: string
  name: string
  transition: AlertTransition
  /** Unix milliseconds. */
  at: number
}

/** The issue and the time of an explanation. */
interface ExplainedIssue {
  organizationId: number
  projectId: number
  issueId: number
  /** Unix milliseconds. */
  now: number
  /** The names of members, for filters by assignee. */
  listNames?: () => Promise<Names>
}

/**
 * Evaluates rules for the latest transition of an issue that matches their trigger, as if it occurred now:
 * the evaluated data may have changed since. Two rounds of statements.
 */
export async function explainRules(
  db: Db,
  { organizationId, projectId, issueId, now, listNames }: ExplainedIssue,
): Promise<RuleExplanation[]> {
  const issue = { projectId, issueId }
  const [state, names, past, issues] = await Promise.all([
    readProjectState(db, { organizationId, projectId, now }),
    listNames?.(),
    listPastTransitions(db, { ...issue, since: 0 }),
    readIssueSubjects(db, { projectId, issueIds: [issueId] }),
  ])
  const subject = issues.get(issueId)
  if (subject === undefined) return []
  const rules = state.index.rules.filter(({ rule }) => !isProjectRule(rule))
  const [{ commenters, lastSentAt }, { listCrossingsOf, checkCount }] = await Promise.all([
    readIssueHistory(db, { projectId, issueIds: [issueId], rules }),
    readThresholds(db, { thresholds: rules.flatMap(({ rule }) => rule.threshold ?? []), ...issue, now }),
  ])
  const project = { ...state, lastSentAt }
  return rules.flatMap(({ id, rule }) => {
    const happened = [...past, ...listCrossingsOf(rule)].toSorted((one, other) => one.at - other.at)
    const last = happened.findLast(({ kind }) => rule.transitions.includes(kind)) ?? happened.at(-1)
    if (last === undefined) return []
    const { kind, at, by, mentionedIds } = last
    const people = toIssuePeople(subject, { ownership: state.ownership, commenters, by, mentionedIds })
    const known = { project, kind, issueId, subject, people }
    const { decision } = decideRule(known, { id, rule }, { now, hasMail: false, names })
    const conditions = [...checkCount(rule), ...decision.conditions]
    return [{ ruleId: id, name: rule.name, transition: kind, at, result: decision.result, conditions }]
  })
}
