import { expect, it } from 'vitest'
import { issueIdCandidate } from '#server/store/issues/id.ts'
import { recordComment } from '#server/store/triage/comments.ts'
import { openAlertStore } from '#test/alert-store.ts'
import { makeEventRecord, testId, testNow, testProjectIds } from '#test/test-store.ts'
import { minuteMs } from '#time/time-steps.ts'
import { decideWaitingAlerts } from './decisions.ts'
import { findHeldDelivery } from './deliveries/held-delivery.ts'
import { listLedger } from './ledger.ts'

/** A project with one rule, and spike protection that is on. */
async function openFlooded() {
  const { store } = await openAlertStore({ users: ['ada'], rules: [{}] })
  await store.writer
    .insertInto('alert_troubles')
    .values({ project_id: 1, kind: 'spike', subject: '', since_at: testNow, last_at: testNow })
    .execute()
  const decide = (now: number) => decideWaitingAlerts(store, { now, hasMail: false })
  return {
    store,
    decide,
    receive: async (name: string, now: number) => {
      await store.commit(makeEventRecord({ eventId: testId(name), groupHash: testId(name) }))
      await decide(now)
    },
    deliveries: () =>
      store.db
        .selectFrom('alert_deliveries')
        .select(['id', 'kind', 'transition_count as count'])
        .orderBy('created_at')
        .orderBy('kind', 'desc')
        .execute(),
  }
}

it('alerts of issues wait for a digest while spike protection is on; the first is announced, comments are sent', async () => {
  const { store, receive, decide, deliveries } = await openFlooded()
  for (const minute of [0, 1, 2]) await receive(`at ${minute}`, testNow + minute * minuteMs)
  expect(await deliveries()).toMatchObject([
    { kind: 'storm', count: 1 },
    { kind: 'digest', count: 3 },
  ])
  const issue = { issueId: issueIdCandidate(1, testId('at 0'), 0), projectIds: testProjectIds }
  await recordComment(store, issue, { userId: 'ada', at: testNow + 3 * minuteMs, text: 'Hm' })
  await store.writer.deleteFrom('alert_deliveries').where('kind', '=', 'digest').execute()
  await decide(testNow + 3 * minuteMs)
  expect((await deliveries()).at(-1)).toMatchObject({ kind: 'issues', count: 1 })

  await receive('next digest', testNow + 12 * minuteMs)
  expect((await deliveries()).filter(({ kind }) => kind === 'storm')).toHaveLength(1)
  await store.writer.deleteFrom('alert_troubles').execute()
  await store.writer.deleteFrom('alert_deliveries').execute()
  await receive('after it', testNow + 60 * minuteMs)
  expect(await deliveries()).toMatchObject([{ kind: 'issues', count: 1 }])
})

it('the summary at the beginning of a storm links to the collected alerts, as their digest does', async () => {
  const { store, receive, deliveries } = await openFlooded()
  for (const name of ['one', 'two', 'three']) await receive(name, testNow)
  const [storm, digest] = await deliveries()
  const heldBy = (row: { id: string } | undefined, kind: 'storm' | 'digest' | 'issues') =>
    findHeldDelivery(store.db, { id: row?.id ?? '', kind })
  expect([await heldBy(storm, 'storm'), await heldBy(digest, 'digest')]).toEqual([digest?.id, digest?.id])
  expect(await heldBy(storm, 'issues')).toBeUndefined()
  await receive('elsewhere', testNow)
  const of = { projectIds: [1], since: 0, deliveryId: digest?.id }
  expect((await listLedger(store.db, of)).map(({ result }) => result)).toEqual([
    'storm',
    'storm',
    'storm',
    'storm',
  ])
  expect(await listLedger(store.db, { ...of, deliveryId: 'another' })).toEqual([])
})
