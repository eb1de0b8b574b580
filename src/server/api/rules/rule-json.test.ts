import * as v from 'valibot'
import { expect, it } from 'vitest'
import { alertRule } from '#alerts/rule-schema.ts'
import type { AlertRule } from '#alerts/rule.ts'
import { hourMs, minuteMs } from '#time/time-steps.ts'
import { parseSentRule, sentRule, toRuleJson } from './rule-json.ts'

const rule: AlertRule = v.parse(alertRule, {
  name: 'Payments',
  isEnabled: true,
  transitions: ['new', 'regressed', 'escalated', 'unarchived', 'assigned', 'comment'],
  filters: [
    { kind: 'environment', is: true, value: 'production' },
    { kind: 'release', is: false, value: 'web@1' },
    { kind: 'tag', is: true, key: 'browser', value: 'Firefox' },
    { kind: 'level', atLeast: 'error' },
    { kind: 'assigned', is: false },
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
    { kind: 'destination', id: 'ops' },
  ],
})

const place = { id: 'r', projectSlug: 'shop', createdAt: 0 }

it('is the same rule again after it was written in the shape of Sentry', () => {
  expect(parseSentRule(v.parse(sentRule, toRuleJson(rule, place)))).toEqual({ ok: true, rule })
})

it('has the ids and fields that Sentry documents', () => {
  const json = toRuleJson({ ...rule, transitions: ['new'], actions: [{ kind: 'members' }] }, place)
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
