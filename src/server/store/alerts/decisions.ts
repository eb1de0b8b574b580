import type { Transaction } from 'kysely'
import * as v from 'valibot'
import { decideAlert } from '#alerts/decide.ts'
import type { AlertCase, AlertSubject } from '#alerts/decide.ts'
import { alertTransitions } from '#alerts/transition.ts'
import { limits } from '#server/limits.ts'
import type { Database } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { parseCausingEvent } from './queue.ts'
import { listAlertRules } from './rules.ts'
import type { StoredRule } from './rules.ts'

/**
 * Decides about the oldest waiting transitions, `limits.alertsDecidedAtOnce` at most, in one transaction.
 * Each is taken from the queue together with what the rules decide, so that of several processes one decides.
 * Returns how many transitions there were.
 */
export async function decideWaitingAlerts(store: Store, now: number): Promise<number> {
  // Mostly there are none, and a read takes no lock.
  if ((await store.db.selectFrom('alert_transitions').select('id').limit(1).execute()).length === 0) return 0
  return store.writer.transaction().execute(async (tx) => {
    const rules = await listAlertRules(tx)
    const waiting = await listWaiting(tx)
    for (const transition of waiting) {
      const subject = await findSubject(tx, transition)
      // The issue was deleted or merged in the meantime.
      if (subject !== undefined) await decideOne(tx, { transition, subject, rules, now })
      await tx
        .deleteFrom('alert_transitions')
        .where('project_id', '=', transition.project_id)
        .where('id', '=', transition.id)
        .execute()
    }
    return waiting.length
  })
}

type Waiting = Awaited<ReturnType<typeof listWaiting>>[number]

function listWaiting(tx: Transaction<Database>) {
  return tx
    .selectFrom('alert_transitions as t')
    .innerJoin('projects as p', 'p.id', 't.project_id')
    .select(['t.project_id', 't.id', 't.issue_id', 't.kind', 't.at', 't.detail', 'p.organization_id'])
    .orderBy('t.project_id')
    .orderBy('t.id')
    .limit(limits.alertsDecidedAtOnce)
    .execute()
}

async function findSubject(
  tx: Transaction<Database>,
  { project_id: projectId, issue_id: issueId, detail }: Waiting,
): Promise<AlertSubject | undefined> {
  const issue = await tx
    .selectFrom('issues')
    .select(['title', 'culprit', 'level', 'first_seen_at', 'last_release', 'assignee_id'])
    .where('project_id', '=', projectId)
    .where('id', '=', issueId)
    .executeTakeFirst()
  if (issue === undefined) return undefined
  const environments = await tx
    .selectFrom('issue_environments')
    .select('environment')
    .where('project_id', '=', projectId)
    .where('issue_id', '=', issueId)
    .execute()
  const { release = issue.last_release, tags } = parseCausingEvent(detail)
  return {
    title: issue.title,
    culprit: issue.culprit,
    level: issue.level,
    firstSeenAt: issue.first_seen_at,
    environments: environments.map(({ environment }) => environment),
    ...(release !== null && { release }),
    tags: Object.fromEntries(tags),
    isAssigned: issue.assignee_id !== null,
  }
}

interface Decided {
  transition: Waiting
  subject: AlertSubject
  rules: readonly StoredRule[]
  now: number
}

async function decideOne(tx: Transaction<Database>, { transition, subject, rules, now }: Decided) {
  const { project_id, issue_id, organization_id: organizationId, at } = transition
  const kind = v.parse(v.picklist(alertTransitions), transition.kind)
  for (const { id: rule_id, rule, ...scope } of rules) {
    if (scope.organizationId !== organizationId || (scope.projectId ?? project_id) !== project_id) continue
    const of: AlertCase = { transition: kind, subject, now }
    // The last time is read only for the rules that could tell.
    if (decideAlert(rule, of).result === 'unmatched') continue
    const lastSentAt = await findLastSentAt(tx, { project_id, issue_id, rule_id })
    const { result } = decideAlert(rule, { ...of, ...(lastSentAt !== null && { lastSentAt }) })
    await tx
      .insertInto('alert_decisions')
      .values({
        project_id,
        issue_id,
        rule_id,
        transition_id: transition.id,
        kind,
        at,
        decided_at: now,
        result,
      })
      .execute()
  }
}

/** When a rule told about an issue last. */
async function findLastSentAt(
  tx: Transaction<Database>,
  key: { project_id: number; issue_id: number; rule_id: string },
): Promise<number | null> {
  const row = await tx
    .selectFrom('alert_decisions')
    .select((of) => of.fn.max('decided_at').as('last'))
    .where((is) => is.and(key))
    .where('result', '=', 'sent')
    .executeTakeFirst()
  return row?.last ?? null
}
