import * as v from 'valibot'
import { expect, it } from 'vitest'
import { alertRule } from '#alerts/rule-schema.ts'
import type { AlertRule } from '#alerts/rule.ts'
import { hourMs, minuteMs } from '#time/time-steps.ts'
import { parseSentRule, sentRule, toRuleJson } from './rule-json.ts'

const rule: AlertRule = v.parse(alertRule, {
  name: 'Payments',
  isEnabled: true,
  transitions: [
    'new',
    'regressed',
    'escalated',
    'unarchived',
    'assigned',
    'comment',
    'threshold',
    'normal',
    'recovered',
  ],
  threshold: { of: 'users', atLeast: 250, unit: 'percent', windowMs: 15 * minuteMs },
  filters: [
    { kind: 'environment', is: true, value: 'production' },
    { kind: 'release', is: false, value: 'web@1' },
    { kind: 'tag', is: true, key: 'browser', value: 'Firefox' },
    { kind: 'level', atLeast: 'error' },
    { kind: 'assigned', is: false },
    { kind: 'assignee', is: false, id: 'bob' },
    { kind: 'path', is: true, value: 'checkout/' },
    { kind: 'text', is: false, value: 'timeout' },
    { kind: 'age', than: 'newer', ms: 2 * hourMs },
  ],
  throttleMs: 30 * minuteMs,
  actions: [
    { kind: 'members' },
    { kind: 'assignee' },
    { kind: 'participants' },
    { kind: 'person', id: 'ada' },
    { kind: 'admins' },
    { kind: 'destination', id: 'ops' },
  ],
})

const place = { id: 'r', projectSlug: 'shop', createdAt: 0 }

it('is unchanged after a conversion to the format of Sentry and back', () => {
  const ofAssigned: AlertRule = { ...rule, filters: [{ kind: 'assigned', is: true }] }
  for (const each of [rule, ofAssigned])
    expect(parseSentRule(v.parse(sentRule, toRuleJson(each, place)))).toEqual({ ok: true, rule: each })
})

it('is unchanged if it is about a project', () => {
  const ofProject = v.parse(alertRule, {
    ...rule,
    transitions: ['release', 'first_event', 'crash_free', 'crash_free_normal'],
    threshold: undefined,
    crashFree: { of: 'users', below: 98.5, isOfRelease: true, windowMs: 24 * hourMs, atLeast: 50 },
    filters: [{ kind: 'environment', is: true, value: 'production' }],
  })
  expect(parseSentRule(v.parse(sentRule, toRuleJson(ofProject, place)))).toEqual({
    ok: true,
    rule: ofProject,
  })
})

it('has filters by members in the format of Sentry', () => {
  const id = 'sentry.rules.filters.assigned_to.AssignedToFilter'
  const filters = [{ id, targetType: 'Member', targetIdentifier: 'ada' }]
  expect(
    parseSentRule(v.parse(sentRule, { ...toRuleJson(rule, place), environment: null, filters })),
  ).toMatchObject({
    rule: { filters: [{ kind: 'assignee', is: true, id: 'ada' }] },
  })
})

it('has the ids and fields that Sentry documents', () => {
  const json = toRuleJson(
    { ...rule, threshold: undefined, transitions: ['new'], actions: [{ kind: 'members' }] },
    place,
  )
  expect(json).toMatchObject({
    conditions: [{ id: 'sentry.rules.conditions.first_seen_event.FirstSeenEventCondition' }],
    actions: [
      {
        id: 'sentry.mail.actions.NotifyEmailAction',
        targetType: 'IssueOwners',
        fallthroughType: 'AllMembers',
      },
    ],
    environment: 'production',
    frequency: 30,
    projects: ['shop'],
    status: 'active',
  })
  expect(json.filters).toContainEqual({
    id: 'sentry.rules.filters.age_comparison.AgeComparisonFilter',
    comparison_type: 'newer',
    value: 2,
    time: 'hour',
  })
})

/** The threshold of a condition, or its error. */
function readFrequency(value: number, more: object) {
  const id = 'sentry.rules.conditions.event_frequency.EventFrequencyCondition'
  const conditions = [{ id, interval: '1h', value, ...more }]
  const parsed = parseSentRule(v.parse(sentRule, { ...toRuleJson(rule, place), conditions }))
  return parsed.ok ? parsed.rule.threshold : parsed.problem
}

it('has thresholds as in Sentry: above a value, or an increase in percent', () => {
  const hour = { of: 'events', windowMs: hourMs }
  expect(readFrequency(99, {})).toEqual({ ...hour, unit: 'count', atLeast: 100 })
  const percent = { comparisonType: 'percent', comparisonInterval: '1h' }
  expect(readFrequency(50, percent)).toEqual({ ...hour, unit: 'percent', atLeast: 150 })
  expect(readFrequency(50, { ...percent, comparisonInterval: '1w' })).toMatch(/not supported/)
  expect(readFrequency(50, { interval: '30d' })).toMatch(/not supported/)
})

it.each<[object, string, RegExp]>([
  [
    { conditions: [{ id: 'sentry.rules.conditions.every_event.EveryEventCondition' }] },
    'conditions',
    /every/,
  ],
  [{ conditions: [] }, 'conditions', /at least one/],
  [{ actions: [] }, 'actions', /at least one/],
  [
    { actions: [{ id: 'sentry.integrations.slack.notify_action.SlackNotifyServiceAction' }] },
    'actions',
    /slack/,
  ],
  [
    { filters: [{ id: 'sentry.rules.filters.level.LevelFilter', level: '40', match: 'eq' }] },
    'filters',
    /eq/,
  ],
  [{ actionMatch: 'all' }, 'actionMatch', /any/],
  [{ filterMatch: 'none' }, 'filterMatch', /all/],
])('is rejected at the field for %j', (changes, field, problem) => {
  const parsed = parseSentRule(v.parse(sentRule, { ...toRuleJson(rule, place), ...changes }))
  expect(parsed).toMatchObject({ ok: false, field })
  expect(!parsed.ok && parsed.problem).toMatch(problem)
})
