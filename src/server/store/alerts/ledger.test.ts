import { expect, it } from 'vitest'
import type { AlertRule } from '#alerts/rule.ts'
import { issueIdCandidate } from '#server/store/issues/id.ts'
import { recordComment } from '#server/store/triage/comments.ts'
import { recordMerge } from '#server/store/triage/merge.ts'
import { openAlertStore, opsRule } from '#test/alert-store.ts'
import { makeEventRecord, testId, testNow, testProjectIds } from '#test/test-store.ts'
import { hourMs } from '#time/time-steps.ts'
import { decideWaitingAlerts } from './decisions.ts'
import { listLedger } from './ledger.ts'
import { listAlertRules } from './rules.ts'

/** A message about one transition. */
const alone = { transition_count: 1 }
/** A message that collects for longer than a storm, as a member has chosen. */
const dailyDigest = { kind: 'digest', destination_id: null, user_id: 'ada', expires_at: testNow * 2 } as const

it('has one row for all rules with the same decision, which the throttle of each rule finds', async () => {
  const numbered = Array.from({ length: 20 }, (_, at) => `Rule ${at}`)
  const rules: Partial<AlertRule>[] = [
    ...numbered.map((name) => ({ name })),
    { name: 'Hourly', throttleMs: hourMs },
    { name: 'Members', actions: [{ kind: 'members' }] },
  ]
  const { store } = await openAlertStore({ users: ['ada'], rules })
  await store.commit(makeEventRecord())
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

it('has the newest attempts to send a message, and all of them once for the decisions in that message', async () => {
  const { store } = await openAlertStore({ rules: [{ ...opsRule, name: 'New' }] })
  const groups = ['one', 'other'].map((name) => ({ eventId: testId(`e ${name}`), groupHash: testId(name) }))
  await store.commit(...groups.map(makeEventRecord))
  await decideWaitingAlerts(store, { now: testNow, hasMail: true })
  const { id } = await store.db.selectFrom('alert_deliveries').select('id').executeTakeFirstOrThrow()
  for (let at = 1; at <= 7; at += 1)
    await store.writer
      .insertInto('alert_attempts')
      .values({ delivery_id: id, at, status: at === 3 ? null : 503, answer: `answer ${at}`, duration_ms: 10 })
      .execute()

  const of = { projectIds: [1], since: 0 }
  const [listed] = (await listLedger(store.db, of)).flatMap(({ deliveries }) => deliveries)
  expect(listed?.attemptCount).toBe(7)
  expect(listed?.attempts.map(({ at }) => at)).toEqual([7, 6, 5, 4, 3])
  expect(listed?.attempts.slice(3)).toEqual([
    { at: 4, status: 503, answer: 'answer 4', durationMs: 10 },
    { at: 3, status: undefined, answer: 'answer 3', durationMs: 10 },
  ])
  const entries = await listLedger(store.db, { ...of, deliveryId: id })
  const all = entries.map(({ deliveries }) =>
    deliveries.flatMap(({ attempts }) => attempts.map(({ at }) => at)),
  )
  expect(all).toEqual([[7, 6, 5, 4, 3, 2, 1], []])
})

it('of an issue has the decisions about issues that were merged into it', async () => {
  const { store } = await openAlertStore({ rules: [{}] })
  const records = ['a', 'b'].map((name) =>
    makeEventRecord({ eventId: testId(`e${name}`), groupHash: testId(name) }),
  )
  await store.commit(...records)
  await decideWaitingAlerts(store, { now: testNow, hasMail: true })
  const issueIds = ['a', 'b'].map((name) => issueIdCandidate(1, testId(name), 0))
  const [intoId = 0] = issueIds
  await recordMerge(store, { issueIds, projectIds: testProjectIds }, { userId: 'ada', at: testNow, intoId })
  expect(await listLedger(store.db, { projectIds: [1], since: 0, issueId: intoId })).toHaveLength(2)
})

it.each([
  { first: alone, other: alone, result: 'sent' },
  { first: { transition_count: 2 }, other: alone, result: 'sent' },
  { first: { transition_count: 2 }, other: { kind: 'digest' }, result: 'grouped' },
  { first: { kind: 'digest' }, other: { kind: 'digest' }, result: 'storm' },
  { first: { kind: 'digest' }, other: dailyDigest, result: 'storm' },
  { first: dailyDigest, other: dailyDigest, result: 'digest' },
] as const)('a decision with messages of $first and $other is $result', async ({ first, other, result }) => {
  const { store } = await openAlertStore({
    users: ['ada'],
    rules: [
      {
        actions: [
          { kind: 'destination', id: 'ops' },
          { kind: 'destination', id: 'dev' },
        ],
      },
    ],
  })
  store.connection
    .exec(`INSERT INTO alert_destinations (id, organization_id, name, channel, settings, created_at)
    VALUES ('dev', 1, '#dev', 'slack', '{}', 0)`)
  await store.commit(makeEventRecord())
  await decideWaitingAlerts(store, { now: testNow, hasMail: true })
  const update = store.writer.updateTable('alert_deliveries')
  await update.set(first).where('destination_id', '=', 'ops').execute()
  await update.set(other).where('destination_id', '=', 'dev').execute()
  const entries = await listLedger(store.db, { projectIds: [1], since: 0 })
  expect(entries.map((entry) => entry.result)).toEqual([result])
})
