import { describe, expect, it } from 'vitest'
import { normalizeEvent } from '#server/normalize/normalize-event.ts'
import { groupByV1 } from './v1.ts'
import { groupByV2 } from './v2.ts'

const eventOf = (raw: object) =>
  normalizeEvent(raw, { eventId: 'f'.repeat(32), receivedAt: 1_790_000_000_000 })

const nsError = (nsErrorFields: object, fields: object = {}) =>
  eventOf({
    platform: 'cocoa',
    exception: [
      {
        type: 'NSURLErrorDomain',
        value: `Code: ${JSON.stringify(nsErrorFields)}`,
        mechanism: { type: 'NSError', handled: true, meta: { ns_error: nsErrorFields } },
      },
    ],
    ...fields,
  })

const offline = { domain: 'NSURLErrorDomain', code: -1009 }
const timeout = { domain: 'NSURLErrorDomain', code: -1001 }

describe('mechanism v2', () => {
  it('separates the codes of an NSError, which v1 does not', () => {
    expect(groupByV1(nsError(offline)).hash).toBe(groupByV1(nsError(timeout)).hash)
    expect(groupByV2(nsError(offline)).hash).not.toBe(groupByV2(nsError(timeout)).hash)
  })

  it('returns the hash of v1, by which an earlier version stored the event', () => {
    expect(groupByV2(nsError(offline))).toMatchObject({
      mechanism: 'v2',
      earlierHash: groupByV1(nsError(offline)).hash,
    })
  })

  it.each([
    ['another exception', eventOf({ exception: [{ type: 'E', value: 'boom' }] })],
    ['an NSError without a code', nsError({ domain: 'NSURLErrorDomain' })],
    ['an NSError with a fingerprint', nsError(offline, { fingerprint: ['network'] })],
  ])('keeps the hash of v1 for %s', (_, event) => {
    expect(groupByV2(event)).toEqual(groupByV1(event))
  })
})
