import { expect, it } from 'vitest'
import { makeAlertRule } from '#test/alert-rule.ts'
import { dayMs, hourMs, minuteMs } from '#time/time-steps.ts'
import { formatPeriod, formatRule, formatThreshold } from './sentence.ts'

it.each([
  [minuteMs, ['once a minute', 'in a minute', 'in the last minute']],
  [hourMs, ['once an hour', 'in an hour', 'in the last hour']],
  [dayMs, ['once a day', 'in a day', 'in the last day']],
  [15 * minuteMs, ['once in 15 minutes', 'in 15 minutes', 'in the last 15 minutes']],
  [11 * hourMs, ['once in 11 hours', 'in 11 hours', 'in the last 11 hours']],
  [30 * dayMs, ['once in 30 days', 'in 30 days', 'in the last 30 days']],
])('a period of %d ms reads %j', (ms, texts) => {
  expect([formatPeriod(ms, 'once'), formatPeriod(ms, 'in'), formatPeriod(ms, 'in the last')]).toEqual(texts)
})

const crashFree = { of: 'sessions', below: 99, windowMs: hourMs, atLeast: 100 } as const

it.each([
  [['new', 'release'], 'issue'],
  [['release'], 'release'],
  [['first_event', 'trouble', 'trouble_over'], 'project or ingest problem'],
  [['crash_free'], 'release'],
] as const)('the throttle of a rule about %j counts each %s', (transitions, subject) => {
  const rule = makeAlertRule({ transitions: [...transitions], throttleMs: dayMs })
  const text = formatRule({ ...rule, crashFree: { ...crashFree, isOfRelease: true } })
  expect(text).toContain(` once a day for each ${subject}.`)
})

it.each([
  ['count', hourMs, 'has 100 or more events in an hour'],
  ['count', 5 * minuteMs, 'has 100 or more events in 5 minutes'],
  ['percent', dayMs, 'has 100% or more of the events of the day before'],
  ['percent', 15 * minuteMs, 'has 100% or more of the events of the 15 minutes before'],
] as const)('a threshold in %s of %d ms reads %j', (unit, windowMs, text) => {
  expect(formatThreshold({ of: 'events', atLeast: 100, unit, windowMs })).toBe(text)
})
