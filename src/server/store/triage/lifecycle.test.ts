import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hourMs } from '#time/time-steps.ts'
import { findTransition, type LifecycleEvent, type ReceivedEvents } from './lifecycle.ts'
import type { ArchiveCondition, ReleaseCondition } from './reopen-condition.ts'
import { fromIssueState, toIssueState, type IssueState } from './state.ts'

const people = { statusChangedAt: 100, assigneeId: 'ada', regressedRelease: null }
const unresolved: IssueState = { status: 'unresolved', isRegressed: false, ...people }
const resolved = (condition: ReleaseCondition | null = null): IssueState => ({
  status: 'resolved',
  condition,
  ...people,
})
const archived = (condition?: Omit<ArchiveCondition, 'kind'>): IssueState => ({
  status: 'archived',
  condition: condition ? { kind: 'archive', ...condition } : null,
  ...people,
})

/** Releases are numbers here: a larger one is newer. */
const compareRelease = (version: string, condition: ReleaseCondition) =>
  Number(version) - Number(condition.kind === 'release' ? condition.release : condition.after)
const received = (fields: Partial<ReceivedEvents> = {}): ReceivedEvents => ({
  kind: 'events',
  at: 200,
  formerEventCount: 5,
  eventCount: 6,
  releases: new Map([['', 150]]),
  compareRelease,
  ...fields,
})
const inRelease = (...versions: string[]) =>
  received({ releases: new Map(versions.map((version, index) => [version, 150 + index])) })
const in3: ReleaseCondition = { kind: 'release', release: '3' }
const after3: ReleaseCondition = { kind: 'next_release', after: '3' }
const reopened = { status: 'unresolved', isRegressed: false, statusChangedAt: 200 }
const regressed = { status: 'unresolved', isRegressed: true, statusChangedAt: 200 }
const hour = { at: 0, eventCount: 4 }

type Row = [title: string, before: IssueState, event: LifecycleEvent, after: object, activity?: object]

describe('an issue', () => {
  it.each<Row>([
    [
      'is resolved',
      unresolved,
      { kind: 'resolve', at: 200, condition: null },
      { status: 'resolved', condition: null, statusChangedAt: 200 },
      { kind: 'status' },
    ],
    [
      'is resolved in another release',
      resolved(in3),
      { kind: 'resolve', at: 200, condition: after3 },
      { status: 'resolved', condition: after3, statusChangedAt: 200 },
      { kind: 'status' },
    ],
    [
      'is archived for ever',
      resolved(),
      { kind: 'archive', at: 200, condition: null },
      { status: 'archived', condition: null, statusChangedAt: 200 },
      { kind: 'status' },
    ],
    [
      'is archived until a time',
      unresolved,
      { kind: 'archive', at: 200, condition: { kind: 'archive', untilAt: 900 } },
      { status: 'archived', condition: { untilAt: 900 } },
      { kind: 'status' },
    ],
    [
      'is reopened by a user',
      archived({ untilAt: 900 }),
      { kind: 'reopen', at: 200 },
      reopened,
      { kind: 'status' },
    ],
    [
      'is assigned',
      resolved(in3),
      { kind: 'assign', assigneeId: 'bo' },
      { status: 'resolved', condition: in3, assigneeId: 'bo', statusChangedAt: 100 },
      { kind: 'assigned' },
    ],
    [
      'is unassigned',
      unresolved,
      { kind: 'assign', assigneeId: null },
      { assigneeId: null },
      { kind: 'assigned' },
    ],
    [
      'regresses by an event after the resolution',
      resolved(),
      received(),
      { ...regressed, regressedRelease: null },
      { kind: 'regressed' },
    ],
    [
      'regresses in the release of the event',
      resolved(),
      inRelease('1'),
      { ...regressed, regressedRelease: '1' },
      { kind: 'regressed', release: '1' },
    ],
    [
      'regresses in the release that it is fixed in',
      resolved(in3),
      inRelease('3'),
      regressed,
      { kind: 'regressed', release: '3' },
    ],
    [
      'regresses in a newer release than that',
      resolved(in3),
      inRelease('4'),
      regressed,
      { kind: 'regressed', release: '4' },
    ],
    [
      'regresses in the next release',
      resolved(after3),
      inRelease('2', '4', '3'),
      regressed,
      { kind: 'regressed', release: '4' },
    ],
    [
      'regresses by an event without a release, which may be of the newest',
      resolved(after3),
      inRelease(''),
      regressed,
      { kind: 'regressed' },
    ],
    [
      'names the release of the latest event',
      resolved(),
      inRelease('1', '2'),
      regressed,
      { kind: 'regressed', release: '2' },
    ],
    [
      'is reopened at its number of events',
      archived({ eventCount: 6 }),
      received(),
      reopened,
      { kind: 'reopened', reason: 'events' },
    ],
    [
      'is reopened at its time, with an event',
      archived({ untilAt: 200 }),
      received(),
      reopened,
      { kind: 'reopened', reason: 'time' },
    ],
    [
      'is reopened at its time, without an event',
      archived({ untilAt: 200 }),
      { kind: 'time', at: 200 },
      reopened,
      { kind: 'reopened', reason: 'time' },
    ],
    [
      'is reopened at its number of users',
      archived({ userCount: 7 }),
      { kind: 'users', at: 200, userCount: 7 },
      reopened,
      { kind: 'reopened', reason: 'users' },
    ],
    [
      'is reopened when it escalates',
      archived({ hourLimit: 1, hour }),
      received(),
      reopened,
      { kind: 'reopened', reason: 'escalation' },
    ],
    [
      'counts a new hour from its first batch',
      archived({ hourLimit: 1, hour }),
      received({ at: hourMs }),
      { status: 'archived', statusChangedAt: 100, condition: { hour: { at: hourMs, eventCount: 5 } } },
    ],
  ])('%s', (...[, before, event, after, activity]) => {
    const transition = findTransition(before, event)
    expect(transition?.after).toMatchObject(after)
    expect(transition?.activity).toEqual(activity)
  })

  it.each<[title: string, before: IssueState, event: LifecycleEvent]>([
    ['resolved twice', resolved(in3), { kind: 'resolve', at: 200, condition: in3 }],
    ['archived twice', archived(), { kind: 'archive', at: 200, condition: null }],
    ['reopened while unresolved', { ...unresolved, isRegressed: true }, { kind: 'reopen', at: 200 }],
    ['assigned to the same user', unresolved, { kind: 'assign', assigneeId: 'ada' }],
    ['unresolved, on events', unresolved, received()],
    ['unresolved, on users', unresolved, { kind: 'users', at: 200, userCount: 99 }],
    ['unresolved, as time passes', unresolved, { kind: 'time', at: 900 }],
    ['resolved, on a late event from before', resolved(), received({ releases: new Map([['', 100]]) })],
    ['resolved in a release, on an older one', resolved(in3), inRelease('2')],
    ['resolved in the next release, on the same', resolved(after3), inRelease('3')],
    ['resolved, on users', resolved(), { kind: 'users', at: 200, userCount: 99 }],
    ['resolved, as time passes', resolved(), { kind: 'time', at: 900 }],
    ['archived for ever, on events', archived(), received({ eventCount: 1e6 })],
    ['archived for ever, as time passes', archived(), { kind: 'time', at: 1e15 }],
    ['archived until events, below them', archived({ eventCount: 7 }), received()],
    [
      'archived until users, below them',
      archived({ userCount: 7 }),
      { kind: 'users', at: 200, userCount: 6 },
    ],
    ['archived until users, on events', archived({ userCount: 1 }), received()],
    ['archived until a time, before it', archived({ untilAt: 201 }), { kind: 'time', at: 200 }],
    ['archived until it escalates, at the limit', archived({ hourLimit: 2, hour }), received()],
  ])('is unchanged: %s', (_, before, event) => {
    expect(findTransition(before, event)).toBeUndefined()
  })
})

const small = fc.nat(20)
const release = fc.constantFrom('', '1', '2', '3', '4')
const releaseCondition = fc.option(
  fc.oneof(
    release.map((name): ReleaseCondition => ({ kind: 'release', release: name })),
    release.map((name): ReleaseCondition => ({ kind: 'next_release', after: name })),
  ),
)
const archiveCondition = fc.option(
  fc.record(
    {
      kind: fc.constant('archive' as const),
      untilAt: small,
      eventCount: small,
      userCount: small,
      hourLimit: small,
      hour: fc.record({ at: fc.constantFrom(0, hourMs), eventCount: small }),
    },
    { requiredKeys: ['kind'] },
  ),
)
const everyState = {
  statusChangedAt: fc.option(small),
  assigneeId: fc.option(fc.constantFrom('ada', 'bo')),
  regressedRelease: fc.option(fc.constantFrom('1', '2')),
}
const anyState: fc.Arbitrary<IssueState> = fc.oneof(
  fc.record({ status: fc.constant('unresolved' as const), isRegressed: fc.boolean(), ...everyState }),
  fc.record({ status: fc.constant('resolved' as const), condition: releaseCondition, ...everyState }),
  fc.record({ status: fc.constant('archived' as const), condition: archiveCondition, ...everyState }),
)
/** Later than every state. */
const at = fc.integer({ min: 21, max: 2 * hourMs })
const personal: fc.Arbitrary<LifecycleEvent> = fc.oneof(
  fc.record({ kind: fc.constant('resolve' as const), at, condition: releaseCondition }),
  fc.record({ kind: fc.constant('archive' as const), at, condition: archiveCondition }),
  fc.record({ kind: fc.constant('reopen' as const), at }),
  fc.record({ kind: fc.constant('assign' as const), assigneeId: everyState.assigneeId }),
)
const events: fc.Arbitrary<ReceivedEvents> = fc
  .record({
    kind: fc.constant('events' as const),
    at,
    formerEventCount: small,
    added: fc.integer({ min: 1, max: 20 }),
    releases: fc.array(fc.tuple(release, small), { minLength: 1 }).map((pairs) => new Map(pairs)),
    compareRelease: fc.constant(compareRelease),
  })
  .map(({ added, ...rest }) => Object.assign(rest, { eventCount: rest.formerEventCount + added }))
const system: fc.Arbitrary<LifecycleEvent> = fc.oneof(
  events,
  fc.record({ kind: fc.constant('users' as const), at, userCount: small }),
  fc.record({ kind: fc.constant('time' as const), at }),
)

const withoutHour = (state: IssueState) =>
  state.status === 'archived' && state.condition
    ? { ...state, condition: { ...state.condition, hour: undefined } }
    : state

describe('in any state', () => {
  it('undo restores exactly the state before the action, once', () => {
    fc.assert(
      fc.property(anyState, personal, (before, event) => {
        const change = findTransition(before, event)
        fc.pre(change !== undefined)
        const undone = findTransition(change.after, { kind: 'undo', change })
        expect(undone).toEqual({ before: change.after, after: before, activity: { kind: 'undone' } })
        expect(findTransition(before, { kind: 'undo', change })).toBeUndefined()
      }),
    )
  })

  it('undo ignores the count of the hour', () => {
    const change = { before: unresolved, after: archived({ hourLimit: 1, hour }) }
    const counted = findTransition(change.after, received({ at: hourMs }))
    expect(counted?.after).not.toEqual(change.after)
    expect(findTransition(counted?.after ?? unresolved, { kind: 'undo', change })?.after).toBe(unresolved)
  })

  it('undo changes nothing after another change', () => {
    fc.assert(
      fc.property(anyState, personal, fc.oneof(personal, system), (before, event, other) => {
        const change = findTransition(before, event)
        fc.pre(change !== undefined)
        const since = findTransition(change.after, other)
        fc.pre(since !== undefined)
        const undone = findTransition(since.after, { kind: 'undo', change })
        const isOnlyCounted = since.activity === undefined
        expect(undone?.after).toEqual(isOnlyCounted ? before : undefined)
      }),
    )
  })

  it('a repeated action changes nothing', () => {
    fc.assert(
      fc.property(anyState, personal, (before, event) => {
        const { after } = findTransition(before, event) ?? { after: before }
        expect(findTransition(after, event)).toBeUndefined()
      }),
    )
  })

  it('a closed issue is reopened once by any sequence of events', () => {
    fc.assert(
      fc.property(anyState, fc.array(system), (before, arrivals) => {
        let state = before
        const reopenings = arrivals.flatMap((event) => {
          const transition = findTransition(state, event)
          state = transition?.after ?? state
          return transition?.activity ? [transition.after] : []
        })
        expect(reopenings.length).toBeLessThanOrEqual(before.status === 'unresolved' ? 0 : 1)
        expect(state.status).toBe(reopenings.length > 0 ? 'unresolved' : before.status)
        expect(state.assigneeId).toBe(before.assigneeId)
      }),
    )
  })

  it('every transition changes the state, and one without activity only the count of the hour', () => {
    fc.assert(
      fc.property(anyState, fc.oneof(personal, system), (before, event) => {
        const transition = findTransition(before, event)
        fc.pre(transition !== undefined)
        const { after, activity } = transition
        expect(after).not.toEqual(before)
        expect(isDeepStrictEqual(withoutHour(before), withoutHour(after))).toBe(activity === undefined)
      }),
    )
  })

  it('its columns store all of it', () => {
    fc.assert(
      fc.property(anyState, (state) => {
        expect(toIssueState(fromIssueState(state))).toEqual(state)
      }),
    )
  })
})
