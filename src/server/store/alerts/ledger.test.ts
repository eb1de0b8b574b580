import { expect, it } from 'vitest'
import type { AlertRule } from '#alerts/rule.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { issueIdCandidate } from '#server/store/issues/id.ts'
import { recordComment } from '#server/store/triage/comments.ts'
import { hourMs } from '#time/time-steps.ts'
import { openAlertStore } from '../../../../test/support/alert-store.ts'
import {
  makeEventRecord,
  testId,
  testNow,
  testProjectIds,
  workOf,
} from '../../../../test/support/test-store.ts'
import { decideWaitingAlerts } from './decisions.ts'
import { listLedger } from './ledger.ts'
import { listAlertRules } from './rules.ts'

it('has one row for all rules that do the same, which the throttle knows by their rules, too', async () => {
  const numbered = Array.from({ length: 20 }, (_, at) => `Rule ${at}`)
  const rules: Partial<AlertRule>[] = [
    ...numbered.map((name) => ({ name })),
    { name: 'Hourly', throttleMs: hourMs },
    { name: 'Members', actions: [{ kind: 'members' }] },
  ]
  const { store } = await openAlertStore({ users: ['ada'], rules })
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
