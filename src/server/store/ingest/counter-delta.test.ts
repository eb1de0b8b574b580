import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countEvents } from '#server/store/issues/counters.ts'
import type { CountedEvent } from '#server/store/issues/counters.ts'
import { addCounterDelta, formatCounterDelta } from './counter-delta.ts'
import type { ProjectCounters } from './counter-delta.ts'

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

function read(...texts: string[]): ProjectCounters {
  const issues: ProjectCounters = new Map()
  for (const text of texts) addCounterDelta(issues, text)
  return issues
}

describe('a counter delta', () => {
  it('counts all of its events, however they are spread over texts', () => {
    fc.assert(
      fc.property(events, events, events, (one, other, later) => {
        const issues = read(
          formatCounterDelta([
            [7, one],
            [-8, other],
          ]),
          formatCounterDelta([[7, later]]),
        )
        expect(issues).toEqual(
          new Map([
            [7, countEvents([...one, ...later])],
            [-8, countEvents(other)],
          ]),
        )
      }),
    )
  })

  it.each(['', '{}', '[7]', '[7,[1]]', '[7,[1,"production",null,["color"]]]', '["x",[]]'])(
    'that is damaged is rejected: %s',
    (text) => {
      expect(() => read(text)).toThrow(Error)
    },
  )
})
