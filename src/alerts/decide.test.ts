import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hourMs, minuteMs } from '#time/time-steps.ts'
import { decideAlert, type AlertCase, type AlertSubject } from './decide.ts'
import type { AlertFilter, AlertRule } from './rule.ts'
import { formatRule } from './sentence.ts'

const now = Date.parse('2026-11-23T12:00:00Z')

const rule: AlertRule = {
  name: 'New and regressed issues',
  isEnabled: true,
  transitions: ['new', 'regressed'],
  filters: [],
  throttleMs: 0,
  actions: [{ kind: 'members' }],
}

const subject: AlertSubject = {
  title: 'TypeError: x is undefined',
  culprit: 'pay in checkout.ts',
  level: 'error',
  firstSeenAt: now - 2 * hourMs,
  environments: ['production', 'staging'],
  release: 'web@1.2.0',
  tags: { browser: 'Firefox' },
  path: 'src/checkout/pay.ts',
  isAssigned: false,
}

const caseOf = (fields: Partial<AlertCase> = {}): AlertCase => ({
  transition: 'new',
  subject,
  now,
  ...fields,
})

const decide = (changes: Partial<AlertRule>, fields: Partial<AlertCase> = {}) =>
  decideAlert({ ...rule, ...changes }, caseOf(fields)).result

describe('a decision', () => {
  it('is to send for a transition of the rule, and none for others', () => {
    expect(decide({})).toBe('sent')
    expect(decide({}, { transition: 'comment' })).toBe('unmatched')
  })

  it.each<[AlertFilter, boolean]>([
    [{ kind: 'environment', is: true, value: 'staging' }, true],
    [{ kind: 'environment', is: false, value: 'staging' }, false],
    [{ kind: 'environment', is: true, value: 'Staging' }, false],
    [{ kind: 'release', is: true, value: 'web@1.2.0' }, true],
    [{ kind: 'release', is: false, value: 'web@1.3.0' }, true],
    [{ kind: 'tag', is: true, key: 'browser', value: 'Firefox' }, true],
    [{ kind: 'tag', is: true, key: 'constructor', value: 'x' }, false],
    [{ kind: 'tag', is: false, key: '__proto__', value: 'x' }, true],
    [{ kind: 'level', atLeast: 'error' }, true],
    [{ kind: 'level', atLeast: 'fatal' }, false],
    [{ kind: 'assigned', is: false }, true],
    [{ kind: 'path', is: true, value: 'checkout/' }, true],
    [{ kind: 'text', is: true, value: 'typeerror' }, true],
    [{ kind: 'text', is: false, value: 'PAY' }, false],
    [{ kind: 'age', than: 'older', ms: hourMs }, true],
    [{ kind: 'age', than: 'newer', ms: hourMs }, false],
  ])('by the filter %j is to send: %s', (filter, isSent) => {
    expect(decide({ filters: [filter] })).toBe(isSent ? 'sent' : 'unmatched')
  })

  it('treats an unknown level as the least severe one', () => {
    const strange = { ...subject, level: 'catastrophe' }
    expect(decide({ filters: [{ kind: 'level', atLeast: 'debug' }] }, { subject: strange })).toBe('unmatched')
  })

  it('throttles per issue until the time has passed, also by a clock that was set back', () => {
    const throttled = { throttleMs: hourMs }
    expect(decide(throttled, { lastSentAt: now - hourMs + 1 })).toBe('throttled')
    expect(decide(throttled, { lastSentAt: now - hourMs })).toBe('sent')
    expect(decide(throttled, { lastSentAt: now + hourMs })).toBe('sent')
  })

  it('is muted until the end of the mute, and disabled before anything else', () => {
    const mute = { until: now + 1, name: 'deploy' }
    expect(decide({}, { mute })).toBe('muted')
    expect(decide({}, { mute, now: now + 1 })).toBe('sent')
    expect(decide({ isEnabled: false }, { mute })).toBe('disabled')
  })

  it('respects quiet hours by the wall clock of their zone, past midnight and with daylight saving time', () => {
    const quietHours = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin', lettingFatal: true }
    const at = (text: string) => decide({ quietHours }, { now: Date.parse(text) })
    expect(at('2026-07-01T19:59:00Z')).toBe('sent')
    expect(at('2026-07-01T20:00:00Z')).toBe('quiet_hours')
    expect(at('2026-12-01T20:30:00Z')).toBe('sent')
    expect(at('2026-12-01T05:59:00Z')).toBe('quiet_hours')
    expect(at('2026-12-01T06:00:00Z')).toBe('sent')
    const fatal = { subject: { ...subject, level: 'fatal' }, now: Date.parse('2026-12-01T03:00:00Z') }
    expect(decide({ quietHours }, fatal)).toBe('sent')
    expect(decide({ quietHours: { ...quietHours, lettingFatal: false } }, fatal)).toBe('quiet_hours')
  })

  it('does not send without receivers', () => {
    expect(decide({}, { receiverCount: 0 })).toBe('no_receiver')
    expect(decide({}, { receiverCount: 1 })).toBe('sent')
    expect(decide({}, { receiverCount: 0, transition: 'comment' })).toBe('unmatched')
  })

  it('explains each condition with its value, also those after the first that is not met', () => {
    const { result, conditions } = decideAlert(
      {
        ...rule,
        filters: [
          { kind: 'environment', is: true, value: 'canary' },
          { kind: 'level', atLeast: 'error' },
        ],
        throttleMs: hourMs,
      },
      caseOf({ lastSentAt: now - 5 * minuteMs }),
    )
    expect(result).toBe('unmatched')
    expect(conditions).toEqual([
      { expected: 'is new or regresses', actual: 'is new', isMet: true },
      { expected: 'its environment is canary', actual: 'production, staging', isMet: false },
      { expected: 'its level is error or more severe', actual: 'error', isMet: true },
      { expected: 'the rule is enabled', actual: 'on', isMet: true },
      { expected: 'not sent in the last hour', actual: 'sent 5 minutes ago', isMet: false },
    ])
    const justSent = decideAlert({ ...rule, throttleMs: hourMs }, caseOf({ lastSentAt: now - 1_000 }))
    expect(justSent.conditions.at(-1)?.actual).toBe('sent just now')
  })

  it('is to send exactly when every condition is met', () => {
    fc.assert(
      fc.property(
        fc.record({
          isEnabled: fc.boolean(),
          isMuted: fc.boolean(),
          sinceMs: fc.nat(2 * hourMs),
          is: fc.boolean(),
        }),
        ({ isEnabled, isMuted, sinceMs, is }) => {
          const { result, conditions } = decideAlert(
            {
              ...rule,
              isEnabled,
              throttleMs: hourMs,
              filters: [{ kind: 'assigned', is }],
            },
            caseOf({
              lastSentAt: now - sinceMs,
              mute: { until: isMuted ? now + 1 : now, name: 'deploy' },
            }),
          )
          expect(result === 'sent').toBe(conditions.every(({ isMet }) => isMet))
        },
      ),
    )
  })
})

describe('the sentence of a rule', () => {
  it('lists every condition', () => {
    expect(formatRule(rule)).toBe('When an issue is new or regresses, notify all members each time.')
    expect(
      formatRule(
        {
          ...rule,
          actions: [{ kind: 'destination', id: 'ops' }, { kind: 'assignee' }, { kind: 'person', id: 'bob' }],
          transitions: ['regressed', 'threshold'],
          threshold: { of: 'users', atLeast: 100, unit: 'count', windowMs: 5 * minuteMs },
          filters: [
            { kind: 'environment', is: true, value: 'production' },
            { kind: 'tag', is: false, key: 'browser', value: 'bot' },
            { kind: 'age', than: 'older', ms: 90 * minuteMs },
          ],
          throttleMs: hourMs,
          quietHours: { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin', lettingFatal: true },
        },
        new Map([['ops', '#ops']]),
      ),
    ).toBe(
      'When an issue regresses or has 100 or more users in 5 minutes and its environment is production, ' +
        'its tag browser is not bot and it is older than 90 minutes, notify #ops, the assignee and a former member once an hour for each issue, ' +
        'but not from 22:00 to 07:00 (Europe/Berlin) unless it is fatal.',
    )
  })
})
