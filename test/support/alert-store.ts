import type { AlertRule } from '#alerts/rule.ts'
import { recordAlertRule } from '#server/store/alerts/rules.ts'
import { makeAlertRule } from './alert-rule.ts'
import { openTestStore, type TestStore } from './test-store.ts'
import { addTestUser } from './test-users.ts'

/** A rule about new issues and comments, whose messages go to the destination `ops`. */
export const opsRule: AlertRule = makeAlertRule({
  name: 'Ops',
  transitions: ['new', 'comment'],
  actions: [{ kind: 'destination', id: 'ops' }],
})

/**
 * A store with users, the destination `ops`, and rules instead of the default ones: each is `opsRule` with
 * changes. Returns the ids of the rules, too.
 */
export async function openAlertStore({
  rules = [],
  users = [],
  ...options
}: {
  rules?: readonly Partial<AlertRule>[]
  /** Ids of viewers, or users with their roles. */
  users?: readonly (string | { userId: string; role: string })[]
} & Parameters<typeof openTestStore>[0] = {}): Promise<{ store: TestStore; ruleIds: string[] }> {
  const store = await openTestStore(options)
  store.connection.exec(`DELETE FROM alert_rules;
    INSERT INTO alert_destinations (id, organization_id, name, channel, settings, created_at)
    VALUES ('ops', 1, '#ops', 'slack', '{}', 0)`)
  for (const user of users) addTestUser(store, typeof user === 'string' ? { userId: user } : user)
  const ruleIds: string[] = []
  for (const changes of rules) {
    const rule = { ...opsRule, ...changes }
    ruleIds.push((await recordAlertRule(store, { organizationId: 1, rule })) ?? '')
  }
  return { store, ruleIds }
}
