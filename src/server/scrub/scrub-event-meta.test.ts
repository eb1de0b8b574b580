import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#protocol/json.ts'
import { scrubEvent } from './scrub-event.ts'
import { createScrubPlan } from './scrub-plan.ts'
import { defaultScrubSettings, type ScrubSettings } from './scrub-settings.ts'

function scrub(event: JsonObject, settings: Partial<ScrubSettings> = {}): JsonObject {
  return scrubEvent(event, createScrubPlan({ ...defaultScrubSettings, ...settings })).value
}

describe('the _meta of a scrubbed event', () => {
  it('contains the rule, the position and the former length at the path of each value', () => {
    const event = {
      extra: { pwd: 'hunter2', note: 'a 4111111111111111 b', list: [{ token: 5 }] },
      user: { ip_address: '::1' },
    }
    expect(scrub(event, { ipAddresses: 'remove' })['_meta']).toEqual({
      extra: {
        pwd: { '': { rem: [['@password:filter', 's', 0, 10]], len: 7 } },
        note: { '': { rem: [['@creditcard:replace', 's', 2, 14]], len: 20 } },
        list: { 0: { token: { '': { rem: [['@password:filter', 's', 0, 10]] } } } },
      },
      user: { ip_address: { '': { rem: [['@anything:remove', 'x']], len: 3 } } },
    })
  })

  it('includes the remarks and lengths of the SDK, and nothing else of its _meta', () => {
    const sent = {
      extra: {
        note: { '': { len: 900, rem: [['!limit', 'x', 10, 20]], err: ['invalid'], val: 'password=hunter2' } },
        'card 4111111111111111': { '': { len: 3 } },
      },
    }
    expect(scrub({ extra: { note: 'pwd=x' }, _meta: sent })['_meta']).toEqual({
      extra: {
        note: {
          '': {
            len: 900,
            rem: [
              ['!limit', 'x', 10, 20],
              ['@password:filter', 's', 4, 14],
            ],
          },
        },
      },
    })
    expect(scrub({ extra: {}, _meta: sent })['_meta']).toEqual({
      extra: { note: { '': { len: 900, rem: [['!limit', 'x', 10, 20]] } } },
    })
  })

  it('is unchanged when nothing is scrubbed', () => {
    const event = { message: 'x', _meta: { message: { '': { len: 9000, rem: [['!limit', 's', 1, 4]] } } } }
    expect(scrub(event)).toBe(event)
  })
})
