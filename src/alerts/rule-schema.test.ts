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
const crashFree = { of: 'sessions', below: 99, isOfRelease: false, windowMs: hourMs, atLeast: 100 }
const threshold = { of: 'events', atLeast: 10, unit: 'count', windowMs: minuteMs }

/** The first message, with the path of its field. */
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
      'transitions: An issue is back to normal only after a threshold: add a threshold, or remove "normal".',
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
    [{ throttleMs: 1e12 }, 'throttleMs: Select at most 30 days.'],
    [{ transitions: ['threshold'] }, 'threshold: Enter the number of events or users of the threshold.'],
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
      'two releases',
      [
        { kind: 'release', is: true, value: 'web@1' },
        { kind: 'release', is: true, value: 'web@2' },
      ],
      'the release cannot have two values',
    ],
    [
      'an assignee and none',
      [
        { kind: 'assigned', is: false },
        { kind: 'assignee', is: true, id: 'ada' },
      ],
      'an issue without an assignee',
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
      'no issue matches both ages',
    ],
    ['an age of a new issue', [{ kind: 'age', than: 'older', ms: hourMs }], 'an issue is new only when'],
    ['an assignee of a new issue', [{ kind: 'assigned', is: true }], 'a new issue has no assignee'],
    ['a member of a new issue', [{ kind: 'assignee', is: true, id: 'ada' }], 'a new issue has no assignee'],
  ])('that can never fire because of %s says so', (_name, filters, message) => {
    expect(check({ filters })).toMatch(/^filters: This rule can never fire: /)
    expect(check({ filters })).toContain(message)
  })

  it.each<[object, string]>([
    [
      { transitions: ['new', 'release'] },
      'transitions: A rule is about issues or about the project: add a separate rule for "release".',
    ],
    [
      { transitions: ['crash_free'] },
      'crashFree: Enter the crash-free rate below which the rule sends an alert.',
    ],
    [
      { crashFree },
      'transitions: The crash-free rate has no effect: choose the transition "crash_free" too.',
    ],
    [
      { transitions: ['crash_free'], crashFree: { ...crashFree, of: 'users' } },
      'crashFree.windowMs: Users are counted by the day: choose a window of 1 or 7 days.',
    ],
    [
      { transitions: ['crash_free'], crashFree: { ...crashFree, below: 100 } },
      'crashFree.below: Enter less than 100%.',
    ],
    [
      { transitions: ['trouble_over'] },
      'transitions: An ingest problem is resolved only after it began: add "trouble", or remove "trouble_over".',
    ],
    [
      { transitions: ['release'], filters: [{ kind: 'level', atLeast: 'error' }] },
      'filters: This rule can never fire: only an issue has the filter "level". Use environment, release or text.',
    ],
    [
      { transitions: ['trouble'], filters: [{ kind: 'environment', is: true, value: 'production' }] },
      'filters: An ingest problem has no environment and no release: remove the filter, or add a separate rule.',
    ],
    [
      { transitions: ['release'], actions: [{ kind: 'assignee' }] },
      'actions: This rule can never notify a user: a project has no assignee. Choose members or a destination.',
    ],
  ])('about a project with %j is explained at the field', (changes, message) => {
    expect(check(changes)).toBe(message)
  })

  it('may contain two environments that an issue had, exclude two, and require an age of a regressed issue', () => {
    const filters = [
      { kind: 'environment', is: true, value: 'production' },
      { kind: 'environment', is: true, value: 'staging' },
      { kind: 'environment', is: false, value: 'a' },
      { kind: 'environment', is: false, value: 'b' },
      { kind: 'age', than: 'older', ms: hourMs },
    ]
    expect(check({ transitions: ['regressed', 'new'], filters })).toBeUndefined()
  })
})
