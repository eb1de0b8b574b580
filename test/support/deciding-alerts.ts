import type { AlertResult } from '#alerts/decide.ts'
import type { NotificationPreference } from '#alerts/preference.ts'
import type { AlertRule } from '#alerts/rule.ts'
import { decideWaitingAlerts } from '#server/store/alerts/decisions.ts'
import { parseDeliveryMessage } from '#server/store/alerts/deliveries/message.ts'
import { listLedger } from '#server/store/alerts/ledger.ts'
import { parseRuleIds } from '#server/store/alerts/rule-sets.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import type { Store } from '#server/store/store.ts'
import { minuteMs } from '#time/time-steps.ts'
import { openAlertStore, opsRule } from './alert-store.ts'
import { makeEventRecord, testId, testNow, entryOf } from './test-store.ts'

/** The rule of `openDecidingAlerts`, which each of its rules changes. */
export const decidedRule: AlertRule = { ...opsRule, transitions: ['new', 'regressed', 'comment'] }

const secondMs = minuteMs / 60

/** An alert store with preferences of its users, and what commits, decides and reads in it. */
export async function openDecidingAlerts({
  rules = [],
  users = [],
  preferences = [],
  hasMail = true,
}: {
  rules?: Partial<AlertRule>[]
  users?: string[]
  preferences?: (NotificationPreference & { userId: string })[]
  hasMail?: boolean
} = {}) {
  const { store } = await openAlertStore({
    users,
    rules: rules.map((changes) => ({ ...decidedRule, ...changes })),
  })
  for (const { projectId, userId, transition, way } of preferences)
    await store.writer
      .insertInto('notification_preferences')
      .values({ project_id: projectId, user_id: userId, transition, way })
      .execute()
  const committer = createCommitter(store)
  const decisionCounts = new Map<AlertResult, number>()
  const rows = (sql: string) => store.connection.prepare(sql).all()
  return {
    store,
    committer,
    count: (table: string) => Number(rows(`SELECT count(*) AS n FROM ${table}`)[0]?.['n']),
    /** Commits an event for each name, of an issue of that name unless it is given. */
    receive: (names: string[], issue?: string) =>
      committer.commit(
        entryOf(
          ...names.map((name) =>
            makeEventRecord({ eventId: testId(name), groupHash: testId(issue ?? name) }),
          ),
        ),
      ),
    decisionCounts,
    decide: (now = testNow, by: Store = store) => decideWaitingAlerts(by, { now, hasMail, decisionCounts }),
    list: () =>
      rows(
        `SELECT d.*, s.rule_ids FROM alert_decisions d LEFT JOIN alert_rule_sets s
         ON s.project_id = d.project_id AND s.id = d.rule_set_id ORDER BY transition_id, rule_id`,
      ).flatMap((row) =>
        parseRuleIds({
          rule_id: '',
          rule_ids: row['rule_ids'] === null ? null : String(row['rule_ids']),
        }).map(() => `${String(row['kind'])} ${String(row['result'])}`),
      ),
    /** Each with its receiver, kind, number of transitions, and the delay in seconds. */
    deliveries: () =>
      rows('SELECT * FROM alert_deliveries ORDER BY created_at, due_at, id').map((row) => {
        const message = parseDeliveryMessage({
          id: String(row['id']),
          kind: String(row['kind']),
          message: String(row['message']),
          transition_count: Number(row['transition_count']),
        })
        const { kind = '', transitions = [], moreCount = 0 } = message ?? {}
        const delay = (Number(row['due_at']) - testNow) / secondMs
        const receiver = String(row['destination_id'] ?? row['user_id'])
        return `${receiver} ${kind} ${transitions.length + moreCount} at ${delay}`
      }),
    inbox: () =>
      rows('SELECT user_id, kind FROM inbox_items ORDER BY user_id, id').map(
        (row) => `${String(row['user_id'])} ${String(row['kind'])}`,
      ),
  }
}

/** Results in the ledger, newest first. */
export async function ledgerResults({ db }: Store): Promise<string[]> {
  return (await listLedger(db, { projectIds: [1], since: 0 })).map(({ result }) => result)
}
