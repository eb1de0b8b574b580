import { afterAll, describe, expect, it } from 'vitest'
import { recordDestination } from '#server/store/alerts/destinations.ts'
import { createApiCaller } from '#test/api-call.ts'
import { addToken, startApiServer } from '#test/api-server.ts'
import { addTestUser } from '#test/test-users.ts'

/**
 * The requests of Terraform's `sentry_issue_alert`, in the form in which version 0.15 of the provider
 * jianyuan/sentry serializes the examples of its documentation.
 */
const base = '/projects/default/fixture/rules/'

const server = await startApiServer()
const call = createApiCaller(server.origin, await addToken(server))
afterAll(() => server.stop())

// The member and the destination of the examples.
addTestUser(server.services.store, { userId: '94732897' })
await recordDestination(
  server.services.store,
  { organizationId: 1, destinationId: 'ops' },
  { name: '#ops', channel: 'webhook', settings: {} },
)

const mail =
  '{"fallthroughType":"ActiveMembers","id":"sentry.mail.actions.NotifyEmailAction","targetType":"IssueOwners"}'
const firstSeen = '{"id":"sentry.rules.conditions.first_seen_event.FirstSeenEventCondition"}'
const regressed = '{"id":"sentry.rules.conditions.regression_event.RegressionEventCondition"}'
const reappeared = '{"id":"sentry.rules.conditions.reappeared_event.ReappearedEventCondition"}'

interface Body {
  actionMatch?: string
  filterMatch?: string
  conditions?: string[]
  filters?: string[]
  actions?: string[]
  /** Further fields, as they are sent. */
  more?: string
}

/** The keys are in the order of the provider's Go structs. */
function toBody({
  actionMatch = 'any',
  filterMatch = 'any',
  conditions = [firstSeen],
  filters = [],
  actions = [mail],
  more = '',
}: Body): string {
  return `{"actionMatch":"${actionMatch}","actions":[${actions.join(',')}],"conditions":[${conditions.join(',')}],${more}"filterMatch":"${filterMatch}","filters":[${filters.join(',')}],"frequency":30,"name":"My issue alert","projects":["fixture"]}`
}

const create = (body: Body) => call(base, { method: 'POST', body: toBody(body) })

/** The provider fails with "inconsistent result after apply" where a field that it sent has another value. */
function expectConsistent(answer: unknown, body: Body): void {
  const { projects, ...sent } = JSON.parse(toBody(body)) as Record<string, unknown>
  expect(answer).toMatchObject({ environment: null, ...sent, projects, owner: null })
}

const expressible: Record<string, Body> = {
  'all conditions of transitions': { conditions: [firstSeen, regressed, reappeared] },
  'one condition of which all have to be met': { actionMatch: 'all', filterMatch: 'all' },
  'no filter match': { filterMatch: '' },
  'an environment': { more: '"environment":"production",' },
  'an environment as a tag': {
    filters: [
      '{"id":"sentry.rules.filters.tagged_event.TaggedEventFilter","key":"environment","match":"eq","value":"production"}',
    ],
  },
  'a count of events': {
    conditions: [
      '{"comparisonType":"count","id":"sentry.rules.conditions.event_frequency.EventFrequencyCondition","interval":"1h","value":100}',
    ],
  },
  'an increase of users': {
    conditions: [
      '{"comparisonInterval":"1h","comparisonType":"percent","id":"sentry.rules.conditions.event_frequency.EventUniqueUserFrequencyCondition","interval":"1h","value":100}',
    ],
  },
  filters: {
    filterMatch: 'all',
    // A new issue is never older than ten minutes: such a rule is rejected.
    conditions: [regressed],
    filters: [
      '{"comparison_type":"older","id":"sentry.rules.filters.age_comparison.AgeComparisonFilter","time":"minute","value":10}',
      '{"id":"sentry.rules.filters.assigned_to.AssignedToFilter","targetType":"Unassigned"}',
      '{"attribute":"message","id":"sentry.rules.filters.event_attribute.EventAttributeFilter","match":"co","value":"test"}',
      '{"id":"sentry.rules.filters.tagged_event.TaggedEventFilter","key":"key","match":"ne","value":"value"}',
      '{"id":"sentry.rules.filters.level.LevelFilter","level":"40","match":"gte"}',
    ],
  },
  'the most severe level alone': {
    filters: ['{"id":"sentry.rules.filters.level.LevelFilter","level":"50","match":"eq"}'],
  },
  'a member': {
    actions: [
      '{"fallthroughType":"AllMembers","id":"sentry.mail.actions.NotifyEmailAction","targetIdentifier":"94732897","targetType":"Member"}',
    ],
  },
  'a destination': {
    actions: ['{"id":"sentry.rules.actions.notify_event_service.NotifyEventServiceAction","service":"ops"}'],
  },
}

describe('a rule of Terraform', () => {
  it.each(Object.entries(expressible))('with %s reads as it was created', async (_, body) => {
    const made = await create(body)
    expect(made.status).toBe(201)
    expectConsistent(made.json, body)
    const { id } = made.json as { id: string }
    const read = await call(`${base}${id}/`)
    expect(read.status).toBe(200)
    expectConsistent(read.json, body)
    expect((await call(`${base}${id}/`, { method: 'DELETE' })).status).toBe(202)
  })

  it('is updated, imported by its id, and deleted', async () => {
    const { id } = (await create({})).json as { id: string }
    const changed = {
      actionMatch: 'all',
      conditions: [regressed],
      filters: expressible['filters']?.filters ?? [],
    }
    const update = { ...changed, filterMatch: 'all' }
    expect((await call(`${base}${id}/`, { method: 'PUT', body: toBody(update) })).status).toBe(200)
    // The import reads a rule of which the provider has the id alone.
    expectConsistent((await call(`${base}${id}/`)).json, update)
    expect((await call(`${base}${id}/`, { method: 'DELETE' })).status).toBe(202)
    for (const method of ['GET', 'DELETE']) expect((await call(`${base}${id}/`, { method })).status).toBe(404)
    expect((await call(`${base}${id}/`, { method: 'PUT', body: toBody({}) })).status).toBe(404)
  })

  it('that was created in the console is imported in the provider’s terms', async () => {
    const [rule] = (await call(base)).json as { id: string }[]
    const { json } = await call(`${base}${rule?.id}/`)
    expect(json).toMatchObject({
      actionMatch: 'any',
      filterMatch: 'all',
      conditions: [JSON.parse(firstSeen), JSON.parse(regressed)],
      actions: [{ id: 'sentry.mail.actions.NotifyEmailAction', targetType: 'IssueOwners' }],
    })
  })
})

/** By what they ask for: the field that the answer names, and a part of its text. */
const inexpressible: Record<string, [Body, string, string]> = {
  'several conditions at once': [
    { actionMatch: 'all', conditions: [firstSeen, regressed] },
    'actionMatch',
    'any',
  ],
  'one of several filters': [{ filters: expressible['filters']?.filters ?? [] }, 'filterMatch', 'all'],
  'no filter': [{ filterMatch: 'none' }, 'filterMatch', 'none'],
  'an owner': [{ more: '"owner":"team:1",' }, 'owner', 'no owner'],
  'no condition': [{ conditions: [] }, 'conditions', ''],
  'no action': [{ actions: [] }, 'actions', ''],
  'a priority': [
    { conditions: ['{"id":"sentry.rules.conditions.high_priority_issue.NewHighPriorityIssueCondition"}'] },
    'conditions',
    'NewHighPriorityIssueCondition is not supported',
  ],
  'a share of sessions': [
    {
      conditions: [
        '{"comparisonType":"count","id":"sentry.rules.conditions.event_frequency.EventFrequencyPercentCondition","interval":"1h","value":100}',
      ],
    },
    'conditions',
    'EventFrequencyPercentCondition is not supported',
  ],
  'another week': [
    {
      conditions: [
        '{"comparisonInterval":"1w","comparisonType":"percent","id":"sentry.rules.conditions.event_frequency.EventFrequencyCondition","interval":"1h","value":100}',
      ],
    },
    'conditions',
    '"comparisonInterval":"1w"',
  ],
  occurrences: [
    { filters: ['{"id":"sentry.rules.filters.issue_occurrences.IssueOccurrencesFilter","value":10}'] },
    'filters',
    'IssueOccurrencesFilter',
  ],
  'the latest release': [
    { filters: ['{"id":"sentry.rules.filters.latest_release.LatestReleaseFilter"}'] },
    'filters',
    'LatestReleaseFilter',
  ],
  'a level that others exceed': [
    { filters: ['{"id":"sentry.rules.filters.level.LevelFilter","level":"40","match":"eq"}'] },
    'filters',
    'LevelFilter',
  ],
  'a team': [
    {
      actions: [
        '{"fallthroughType":"AllMembers","id":"sentry.mail.actions.NotifyEmailAction","targetIdentifier":"1","targetType":"Team"}',
      ],
    },
    'actions',
    'There are no teams',
  ],
  'a Slack workspace': [
    {
      actions: [
        '{"channel":"#warning","id":"sentry.integrations.slack.notify_action.SlackNotifyServiceAction","tags":"environment,level","workspace":"1"}',
      ],
    },
    'actions',
    'Add a destination',
  ],
}

it.each(Object.entries(inexpressible))(
  'the answer to a rule with %s names the field',
  async (_, [body, field, text]) => {
    const { status, json } = await create(body)
    expect([status, Object.keys(json as object)]).toEqual([400, [field]])
    expect(json).toEqual({ [field]: [expect.stringContaining(text)] })
  },
)
