import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CountedEvent } from '#server/store/issues/counters.ts'
import { addCounterDelta, formatCounterDelta, type WaitingCounts } from './counter-delta.ts'
import type { IssueAdvance } from './issue-batch-counts.ts'

const hour = 1_763_769_600_000

const events: fc.Arbitrary<CountedEvent[]> = fc.array(
  fc.record({
    occurredAt: fc.integer({ min: hour, max: hour + 7_200_000 }),
    environment: fc.constantFrom('production', 'staging', ''),
    userHash: fc.option(fc.maxSafeNat(), { nil: undefined }),
    tags: fc.array(fc.tuple(fc.string({ maxLength: 3 }), fc.string({ maxLength: 3 })), { maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 6 },
)

function deltaOf(issueId: number, counted: CountedEvent[], advance?: IssueAdvance) {
  return { issue: { issueId }, counted, advance }
}

function advanceAt(occurredAt: number, given: Partial<IssueAdvance> = {}): IssueAdvance {
  const texts = { type: 'error', title: `at ${occurredAt}`, subtitle: '', culprit: '', level: 'error' }
  const latest = { ...texts, platform: 'node', occurredAt, eventId: 'ab'.repeat(16) }
  return { eventCount: 1, latest, ...given }
}

function read(...texts: string[]) {
  const issues = new Map<number, WaitingCounts>()
  for (const text of texts) addCounterDelta(issues, text)
  return issues
}

describe('a counter delta', () => {
  it('has all of its events, however they are spread over texts', () => {
    fc.assert(
      fc.property(events, events, events, (one, other, later) => {
        const issues = read(
          formatCounterDelta([deltaOf(7, one), deltaOf(-8, other)]),
          formatCounterDelta([deltaOf(7, later)]),
        )
        expect(issues).toEqual(
          new Map([
            [7, { counted: [...one, ...later] }],
            [-8, { counted: other }],
          ]),
        )
      }),
    )
  })

  it('advances an issue to its latest event, with the newest release that was named before', () => {
    const [first, second, third] = [
      advanceAt(hour, { release: 'old' }),
      advanceAt(hour + 3, { eventCount: 2 }),
      advanceAt(hour + 2, { release: 'between' }),
    ]
    const texts = [first, second, third].map((advance) =>
      formatCounterDelta([deltaOf(7, [], advance), deltaOf(8, [])]),
    )
    const issues = read(...texts)
    expect(issues.get(7)?.advance).toEqual({ eventCount: 4, latest: second.latest, release: 'old' })
    expect(issues.get(8)?.advance).toBeUndefined()
  })

  it.each([
    '',
    '{}',
    '[7]',
    '[7,[1]]',
    '[7,[1,"production",null,["color"]]]',
    '["x",[]]',
    '[7,[],{"eventCount":1}]',
  ])('that is damaged is rejected: %s', (text) => {
    expect(() => read(text)).toThrow(Error)
  })
})
