import { expect, it } from 'vitest'
import { decideWaitingAlerts } from '#server/store/alerts/decisions.ts'
import { listInbox } from '#server/store/alerts/inbox.ts'
import { listUnreadableRules } from '#server/store/alerts/rules.ts'
import { openAlerts, organizationId, startReceiver } from '#test/alert-deliveries.ts'
import { createErrorLog } from '#test/error-log.ts'
import { testNow } from '#test/test-store.ts'
import { addTestUser } from '#test/test-users.ts'
import { createAlertDecider } from './decider.ts'

async function openLogged() {
  const alerts = await openAlerts()
  const { log, errors } = createErrorLog()
  const { store } = alerts
  return { ...alerts, errors, decider: createAlertDecider({ store, log, hasMail: false }) }
}

it.each(['{', '{"name":"Newer","transitions":["eclipse"]}'])(
  'the rule %s does not stop the others, and is logged once',
  async (rule) => {
    const { store, addReceiver, receive, createDeliverer, decider, errors } = await openLogged()
    const receiver = await startReceiver()
    await addReceiver(receiver)
    const [{ id } = { id: '' }] = await store.db.selectFrom('alert_rules').select('id').execute()
    await store.writer
      .insertInto('alert_rules')
      .values({ id: `${id}-newer`, organization_id: organizationId, rule, created_at: 0, revision: 1 })
      .execute()
    await receive('a')
    expect(await decider.check()).toBe('done')
    await receive('b')
    expect(await decider.check()).toBe('done')
    await createDeliverer().deliver()
    expect(receiver.bodies.length).toBeGreaterThan(0)
    expect(errors).toMatchObject([{ table: 'alert_rules', row: `${id}-newer` }])
    expect(await listUnreadableRules(store.db, { organizationId, projectId: 1 })).toMatchObject([
      { id: `${id}-newer` },
    ])
  },
)

it('a transition that cannot be read is dropped, and the others are decided', async () => {
  const { store, addReceiver, receive, list } = await openLogged()
  await addReceiver(await startReceiver())
  await store.writer
    .insertInto('alert_transitions')
    .values([
      { project_id: 1, id: '0', issue_id: 1, kind: 'eclipse', at: testNow, detail: '{}' },
      { project_id: 1, id: '1', issue_id: 1, kind: 'new', at: testNow, detail: '[' },
    ])
    .execute()
  expect(await decideWaitingAlerts(store, { now: testNow, hasMail: false })).toBe(2)
  await receive('a')
  expect(await list()).toEqual(['waiting 0'])
  expect(await store.db.selectFrom('alert_transitions').selectAll().execute()).toEqual([])
})

it('a message that cannot be read fails, and the next one to its receiver is sent', async () => {
  const { store, addReceiver, receive, createDeliverer, list, clock } = await openLogged()
  const receiver = await startReceiver()
  await addReceiver(receiver)
  await receive('a')
  store.connection.exec(`UPDATE alert_deliveries SET kind = 'hologram'`)
  clock.now += 1
  await receive('b')
  await createDeliverer().deliver()
  expect(await list()).toEqual(['failed 1', 'sent 1'])
  expect(receiver.bodies).toHaveLength(1)
  expect(await store.db.selectFrom('alert_attempts').select('answer').orderBy('at').execute()).toContainEqual(
    {
      answer: 'This version of Culvert cannot read the message.',
    },
  )
})

it('the settings of a destination that cannot be read fail only its own messages', async () => {
  const { store, addReceiver, receive, createDeliverer, find } = await openLogged()
  const [broken, other] = [await startReceiver(), await startReceiver()]
  const id = await addReceiver(broken)
  await addReceiver(other)
  store.connection.exec(`UPDATE alert_destinations SET settings = '3' WHERE id = '${id}'`)
  await receive('a')
  await createDeliverer().deliver()
  expect([broken.bodies, other.bodies]).toEqual([[], [expect.anything()]])
  expect(await find(id)).toMatchObject({ isUnreadable: true, settings: {}, failingSince: testNow })
})

it('an inbox item of an unknown kind is not listed, and the others are', async () => {
  const { store, receive } = await openLogged()
  addTestUser(store, { userId: 'ada' })
  await receive('a')
  const [issue] = await store.db.selectFrom('issues').select('id').execute()
  const item = { project_id: 1, issue_id: issue?.id ?? 0, user_id: 'ada', at: testNow, rule_ids: '[]' }
  await store.writer
    .insertInto('inbox_items')
    .values([
      { ...item, id: 'a', kind: 'eclipse', read_at: null, notice: null },
      { ...item, id: 'b', kind: 'new', read_at: null, notice: null },
    ])
    .execute()
  const listed = await listInbox(store.db, { userId: 'ada', projectIds: [1], isUnreadOnly: false })
  expect(listed.map(({ transition }) => transition)).toEqual(['new'])
})
