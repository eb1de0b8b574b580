import { afterAll, expect, it } from 'vitest'
import { createApiCaller } from '#test/api-call.ts'
import { addToken, sendError, startApiServer } from '#test/api-server.ts'
import { listDecisions } from '#test/decisions.ts'
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
