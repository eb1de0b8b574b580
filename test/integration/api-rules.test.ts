import { afterAll, expect, it } from 'vitest'
import { recordDestination } from '#server/store/alerts/destinations.ts'
import { createApiCaller } from '#test/api-call.ts'
import { addToken, sendError, startApiServer } from '#test/api-server.ts'
import { listDecisions } from '#test/decisions.ts'
import { addUser } from '#test/session.ts'
import { fixtureProject } from '#test/start-server.ts'

const base = '/projects/default/fixture/rules/'

const server = await startApiServer()
const call = createApiCaller(server.origin, await addToken(server))
afterAll(() => server.stop())

/** The body that Terraform's `sentry_issue_alert` sends. */
const terraform = {
  name: 'My issue alert',
  actionMatch: 'any',
  filterMatch: 'all',
  frequency: 30,
  environment: 'production',
  conditions: [
    { id: 'sentry.rules.conditions.first_seen_event.FirstSeenEventCondition' },
    { id: 'sentry.rules.conditions.regression_event.RegressionEventCondition' },
  ],
  filters: [
    {
      id: 'sentry.rules.filters.age_comparison.AgeComparisonFilter',
      comparison_type: 'newer',
      value: 10,
      time: 'minute',
    },
    { id: 'sentry.rules.filters.level.LevelFilter', match: 'gte', level: '40' },
  ],
  actions: [
    {
      id: 'sentry.mail.actions.NotifyEmailAction',
      targetType: 'IssueOwners',
      targetIdentifier: '',
      fallthroughType: 'AllMembers',
    },
  ],
}

it('creates, reads, replaces and deletes a rule as Sentry’s clients do', async () => {
  const made = await call(base, { method: 'POST', body: terraform })
  expect(made).toMatchObject({
    status: 201,
    json: { name: 'My issue alert', frequency: 30, environment: 'production', status: 'active' },
  })
  const { id } = made.json as { id: string }
  expect((await call(base)).json).toMatchObject([{ name: 'New and regressed issues' }, { id }])
  const changed = { ...terraform, name: 'Renamed', status: 'disabled' }
  expect((await call(`${base}${id}/`, { method: 'PUT', body: changed })).status).toBe(200)
  expect((await call(`${base}${id}/`)).json).toMatchObject({ id, name: 'Renamed', status: 'disabled' })
  expect((await call(`${base}${id}/`, { method: 'DELETE' })).status).toBe(202)
  expect((await call(`${base}${id}/`)).status).toBe(404)
})

it('names the field that is not supported', async () => {
  const conditions = [{ id: 'sentry.rules.conditions.event_frequency.EventFrequencyCondition', value: 1 }]
  expect(await call(base, { method: 'POST', body: { ...terraform, conditions } })).toMatchObject({
    status: 400,
    json: { conditions: [expect.stringContaining('is not supported')] },
  })
  expect(await call(base, { method: 'POST', body: { name: 'x' } })).toMatchObject({ status: 400 })
})

it('creates rules that apply to later events', async () => {
  const { json } = await call(base, { method: 'POST', body: { ...terraform, environment: null } })
  await sendError(server, {})
  await server.services.alertDecider.check()
  const { id } = json as { id: string }
  const decisions = await listDecisions(server.services.store.db)
  expect(decisions.filter(({ ruleId }) => ruleId === id)).toMatchObject([{ result: 'sent' }])
})

it('deletes a rule that this version cannot read, in its own project only', async () => {
  await server.services.store.writer
    .insertInto('alert_rules')
    .values({
      id: 'newer',
      organization_id: 1,
      project_id: fixtureProject.id,
      rule: '{"name":"Predictions"}',
      created_at: 0,
      revision: 1,
    })
    .execute()
  expect((await call('/projects/default/other/rules/newer/', { method: 'DELETE' })).status).toBe(404)
  expect((await call(`${base}newer/`, { method: 'DELETE' })).status).toBe(202)
  expect((await call(`${base}newer/`, { method: 'DELETE' })).status).toBe(404)
})

const memberAction = (targetIdentifier: unknown) => ({
  id: 'sentry.mail.actions.NotifyEmailAction',
  targetType: 'Member',
  targetIdentifier,
})
const service = (id: string) => ({
  id: 'sentry.rules.actions.notify_event_service.NotifyEventServiceAction',
  service: id,
})
const assignedTo = (targetIdentifier: string) => ({
  id: 'sentry.rules.filters.assigned_to.AssignedToFilter',
  targetType: 'Member',
  targetIdentifier,
})
const notAssignedTo = (targetIdentifier: string) => ({
  id: 'culvert.filters.not_assigned_to',
  targetIdentifier,
})

/** An organization with a destination `theirs` and a member, whose id is returned. */
async function addOtherOrganization(): Promise<string> {
  const { store } = server.services
  const organization = { id: 2, slug: 'other', name: 'Other', created_at: 0 }
  await store.writer.insertInto('organizations').values(organization).execute()
  const outsider = { name: 'Olga', email: 'olga@example.com', password: 'a password for tests' }
  const userId = await addUser(store, { ...outsider, organizationId: 2 })
  const theirs = { name: 'Theirs', channel: 'webhook', settings: {} } as const
  await recordDestination(store, { organizationId: 2, destinationId: 'theirs' }, theirs)
  return userId
}

it('rejects ids of members and destinations that the organization does not have, and names them', async () => {
  const outsiderId = await addOtherOrganization()
  const { json } = await call(base, { method: 'POST', body: terraform })
  const { id } = json as { id: string }
  for (const [field, part, problem] of [
    ['actions', memberAction('nobody'), 'No member of the organization has the id "nobody".'],
    ['actions', memberAction(17), 'No member of the organization has the id "17".'],
    ['actions', memberAction(outsiderId), `No member of the organization has the id "${outsiderId}".`],
    ['actions', service('pigeons'), 'No destination of the organization has the id "pigeons".'],
    ['actions', service('theirs'), 'No destination of the organization has the id "theirs".'],
    ['filters', assignedTo(outsiderId), `No member of the organization has the id "${outsiderId}".`],
    ['filters', notAssignedTo('nobody'), 'No member of the organization has the id "nobody".'],
  ] as const) {
    const rejection = { status: 400, json: { [field]: [problem] } }
    const body = { ...terraform, [field]: [part] }
    expect(await call(base, { method: 'POST', body })).toMatchObject(rejection)
    expect(await call(`${base}${id}/`, { method: 'PUT', body })).toMatchObject(rejection)
  }
  const form = { page: '/projects/fixture/alerts', action: 'add' }
  const fields = { name: 'Form', transitions: ['new'], receivers: ['destination:theirs'], throttleMs: '0' }
  expect(
    await call('/organizations/default/forms/', { method: 'POST', body: { ...form, fields } }),
  ).toMatchObject({ status: 400, json: { receivers: [expect.stringContaining('"theirs"')] } })
})

it('accepts ids of members of the organization', async () => {
  const { id } = await server.services.store.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'tool@example.com')
    .executeTakeFirstOrThrow()
  const body = { ...terraform, actions: [memberAction(id)], filters: [assignedTo(id)] }
  expect((await call(base, { method: 'POST', body })).status).toBe(201)
})
