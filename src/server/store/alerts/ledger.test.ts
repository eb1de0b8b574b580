import { expect, it } from 'vitest'
import type { AlertRule } from '#alerts/rule.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { issueIdCandidate } from '#server/store/issues/id.ts'
import { recordComment } from '#server/store/triage/comments.ts'
import { hourMs } from '#time/time-steps.ts'
import {
  makeEventRecord,
  openTestStore,
  testId,
  testNow,
  testProjectIds,
  workOf,
} from '../../../../test/support/test-store.ts'
import { addTestUser } from '../../../../test/support/test-users.ts'
import { decideWaitingAlerts } from './decisions.ts'
import { listLedger } from './ledger.ts'
import { listAlertRules, recordAlertRule } from './rules.ts'

const rule: AlertRule = {
  name: '',
  isEnabled: true,
  transitions: ['new', 'comment'],
  filters: [],
  throttleMs: 0,
  actions: [{ kind: 'destination', id: 'ops' }],
}

it('has one row for all rules that do the same, which the throttle knows by their rules, too', async () => {
  const store = await openTestStore()
  store.connection.exec('DELETE FROM alert_rules')
  store.connection
    .exec(`INSERT INTO alert_destinations (id, organization_id, name, channel, settings, created_at)
    VALUES ('ops', 1, '#ops', 'slack', '{}', 0)`)
  addTestUser(store, { userId: 'ada' })
  const numbered = Array.from({ length: 20 }, (_, at) => `Rule ${at}`)
  const rules: AlertRule[] = [
    ...numbered.map((name) => ({ ...rule, name })),
    { ...rule, name: 'Hourly', throttleMs: hourMs },
    { ...rule, name: 'Members', actions: [{ kind: 'members' }] },
  ]
  for (const each of rules) await recordAlertRule(store, { organizationId: 1, rule: each })
  await createCommitter(store).commit(workOf(makeEventRecord()))
  await decideWaitingAlerts(store, { now: testNow, hasMail: true })

  const of = { projectIds: [1], since: 0 }
  const namesOf = async (result: string) =>
    (await listLedger(store.db, of))
      .filter((entry) => entry.result === result)
      .map((entry) => entry.rules.map(({ name }) => name).toSorted())
      .toSorted((one, other) => one.length - other.length)
  expect(await namesOf('sent')).toEqual([['Members'], ['Hourly', ...numbered].toSorted()])
  for (const { id } of await listAlertRules(store.db, 1))
    expect(await listLedger(store.db, { ...of, ruleId: id })).toHaveLength(1)

  const issue = { issueId: issueIdCandidate(1, testId('group'), 0), projectIds: testProjectIds }
  await recordComment(store, issue, { userId: 'ada', at: testNow + 1, text: 'Hm' })
  await decideWaitingAlerts(store, { now: testNow + 1, hasMail: true })
  expect(await namesOf('throttled')).toEqual([['Hourly']])
})
