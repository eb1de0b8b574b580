import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EventCache } from '#server/normalize/event-cache.ts'
import { normalizeEvent } from '#server/normalize/normalize-event.ts'
import { groupEvent } from './group-event.ts'
import type { Grouping } from './grouping.ts'
import { groupByV2 } from './mechanisms/v2.ts'

const cache = new EventCache()
const context = { eventId: 'f'.repeat(32), receivedAt: 1_790_000_000_000, isForIndex: true }

/** Groups an event like ingest: its frames may be shared with earlier events. */
function groupSent(payload: object): Grouping {
  const parsed = cache.frames.parsePayload(Buffer.from(JSON.stringify(payload)))
  const event = normalizeEvent(parsed.ok ? parsed.value : undefined, { ...context, cache })
  return groupEvent(event, cache.frames)
}

const eventOf = (type: string, value: string, frameOf: object) => ({
  platform: 'javascript',
  exception: { values: [{ type, value, stacktrace: { frames: [frameOf] } }] },
})

const hashCount = (list: object[]) => new Set(list.map((payload) => groupSent(payload).hash)).size

const frame = fc.record(
  {
    function: fc.constantFrom('pay', 'Cart.pay', '?', ''),
    filename: fc.constantFrom('https://shop.example/a.js', 'app/cart.py', '<anonymous>'),
    context_line: fc.constantFrom('return total(cart)', '  '),
    in_app: fc.boolean(),
    lineno: fc.nat(3),
  },
  { requiredKeys: [] },
)
const frames = fc.array(frame, { maxLength: 3 })
const mechanism = fc.record({ synthetic: fc.boolean() }, { requiredKeys: [] })
/** Few of each, so that the same frames occur with other types, values and neighbouring exceptions. */
const exception = (shared: object[]) =>
  fc.record(
    {
      type: fc.constantFrom('TypeError', 'RangeError'),
      value: fc.constantFrom('x is 7', 'no'),
      mechanism,
      stacktrace: fc.constant({ frames: shared }),
    },
    { requiredKeys: [] },
  )
const events = frames.chain((shared) =>
  fc.array(
    fc.record(
      {
        platform: fc.constantFrom('javascript', 'python'),
        exception: fc.record({ values: fc.array(exception(shared), { maxLength: 2 }) }),
        threads: fc.array(fc.record({ id: fc.nat(1), stacktrace: fc.constant({ frames: shared }) }), {
          maxLength: 1,
        }),
        fingerprint: fc.constantFrom(['{{ default }}', 'a'], ['{{ default }}']),
        checksum: fc.constant('c'),
        message: fc.constantFrom('one', 'two'),
      },
      { requiredKeys: ['exception'] },
    ),
    { minLength: 2, maxLength: 6 },
  ),
)

describe('an event with frames of an earlier event', () => {
  it('is grouped as the mechanism groups it', () => {
    fc.assert(
      fc.property(events, (payloads) => {
        for (const payload of payloads)
          expect(groupSent(payload)).toEqual(groupByV2(normalizeEvent(payload, context)))
      }),
      { numRuns: 500 },
    )
  })

  it('is grouped by its own type and, when its frames do not contribute, by its own value', () => {
    const named = { function: 'pay', in_app: true }
    expect(hashCount([eventOf('A', 'x', named), eventOf('A', 'y', named), eventOf('B', 'x', named)])).toBe(2)
    expect(hashCount([eventOf('A', 'x', { lineno: 1 }), eventOf('A', 'y', { lineno: 1 })])).toBe(2)
  })

  it('is grouped by the code of its own NSError', () => {
    const stacktrace = { frames: [{ function: 'load', in_app: true }] }
    const failed = (code: number) => ({
      platform: 'cocoa',
      exception: { type: 'd', mechanism: { meta: { ns_error: { domain: 'd', code } } }, stacktrace },
    })
    expect(hashCount([failed(1), failed(1), failed(2)])).toBe(2)
  })
})
