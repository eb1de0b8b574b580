import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { hourMs, minuteMs } from '#time/time-steps.ts'
import { alertRule } from './rule-schema.ts'

const valid = {
  name: 'Alerts',
  isEnabled: true,
  transitions: ['new'],
  filters: [],
  throttleMs: 0,
  actions: [{ kind: 'members' }],
}
const quietHours = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin', lettingFatal: true }
const threshold = { of: 'events', atLeast: 10, unit: 'count', windowMs: minuteMs }

/** The first message, by the path of its field. */
function check(changes: object): string | undefined {
  const { success, issues } = v.safeParse(alertRule, { ...valid, ...changes })
  return success ? undefined : `${v.getDotPath(issues[0])}: ${issues[0].message}`
}

describe('a rule', () => {
  it('is accepted', () => {
    expect(check({})).toBeUndefined()
    expect(check({ quietHours, transitions: ['threshold'], threshold })).toBeUndefined()
  })

  it.each<[object, string]>([
    [{ name: ' ' }, 'name: Enter a name.'],
    [
      { transitions: ['new', 'normal'] },
      'transitions: Only after a threshold an issue is back to normal: add a threshold, or remove "normal".',
    ],
    [{ transitions: [] }, 'transitions: Choose at least one transition.'],
    [{ actions: [] }, 'actions: Choose at least one receiver.'],
    [
      { quietHours: { ...quietHours, timeZone: 'Europe/Atlantis' } },
      'quietHours.timeZone: Unknown time zone. Use an IANA name, such as Europe/Berlin.',
    ],
    [{ quietHours: { ...quietHours, from: '24:00' } }, 'quietHours.from: Enter a time as 22:00.'],
    [
      { quietHours: { ...quietHours, to: '22:00' } },
      'quietHours.to: The quiet hours begin and end at the same time: choose another end.',
    ],
    [{ throttleMs: 1e12 }, 'throttleMs: Choose 30 days at most.'],
    [{ transitions: ['threshold'] }, 'threshold: Say at how many events or users the threshold is.'],
    [{ threshold }, 'transitions: The threshold has no effect: choose the transition "threshold" too.'],
    [
      { transitions: ['threshold'], threshold: { ...threshold, windowMs: 1 } },
      'threshold.windowMs: Choose a window of 1, 5 or 15 minutes, an hour or a day.',
    ],
    [
      { transitions: ['threshold'], threshold: { ...threshold, atLeast: 0 } },
      'threshold.atLeast: Enter 1 or more.',
    ],
  ])('with %j is explained at the field', (changes, message) => {
    expect(check(changes)).toBe(message)
  })

  it.each<[string, object[], string]>([
    [
      'two environments',
      [
        { kind: 'environment', is: true, value: 'production' },
        { kind: 'environment', is: true, value: 'staging' },
      ],
      'the environment cannot have two values',
    ],
    [
      'a tag that is and is not',
      [
        { kind: 'tag', is: true, key: 'a', value: 'b' },
        { kind: 'tag', is: false, key: 'a', value: 'b' },
      ],
      'the tag a cannot be "b" and something else',
    ],
    [
      'opposite assignments',
      [
        { kind: 'assigned', is: true },
        { kind: 'assigned', is: false },
      ],
      'an issue is either assigned or not',
    ],
    [
      'ages that exclude each other',
      [
        { kind: 'age', than: 'older', ms: hourMs },
        { kind: 'age', than: 'newer', ms: minuteMs },
      ],
      'no issue is older than the one age and newer than the other',
    ],
    ['an age of a new issue', [{ kind: 'age', than: 'older', ms: hourMs }], 'an issue is new only when'],
    ['an assignee of a new issue', [{ kind: 'assigned', is: true }], 'nobody is assigned to a new issue'],
  ])('that can never fire because of %s says so', (_name, filters, message) => {
    expect(check({ filters })).toMatch(/^filters: This rule can never fire: /)
    expect(check({ filters })).toContain(message)
  })

  it('may exclude two environments, and require an age of a regressed issue', () => {
    const filters = [
      { kind: 'environment', is: false, value: 'a' },
      { kind: 'environment', is: false, value: 'b' },
      { kind: 'age', than: 'older', ms: hourMs },
    ]
    expect(check({ transitions: ['regressed', 'new'], filters })).toBeUndefined()
  })
})
