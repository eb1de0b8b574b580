import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayMs, hourMs, minuteMs } from '#time/time-steps.ts'
import { normalizeEvent, type NormalizeContext } from './normalize-event.ts'

const receivedAt = Date.UTC(2026, 10, 21, 12)

function normalize(raw: object, context: Partial<NormalizeContext> = {}) {
  return normalizeEvent(raw, { eventId: 'a'.repeat(32), receivedAt, ...context })
}

/** An event that happened `agoMs` ago by the sender's clock, with a breadcrumb a second before. */
function happened(agoMs: number) {
  const at = (receivedAt - agoMs) / 1000
  return { timestamp: at, breadcrumbs: [{ timestamp: at - 1, message: 'before' }] }
}

function placed(raw: object, context: Partial<NormalizeContext> = {}) {
  const { occurredAt, breadcrumbs, fieldErrors } = normalize(raw, context)
  return {
    agoMs: receivedAt - occurredAt,
    crumbMs: (breadcrumbs[0]?.at ?? Number.NaN) - occurredAt,
    reasons: fieldErrors.map(({ field, reason }) => `${field} ${reason}`),
  }
}

describe('the time of an event', () => {
  it('is its own timestamp', () => {
    expect(placed(happened(5 * minuteMs))).toEqual({ agoMs: 5 * minuteMs, crumbMs: -1000, reasons: [] })
  })

  it('is moved with its breadcrumbs when the sender’s clock is off by 55 minutes', () => {
    for (const driftMs of [55 * minuteMs, -55 * minuteMs, 400 * dayMs]) {
      const sentAt = receivedAt - driftMs
      expect(placed(happened(driftMs + minuteMs), { sentAt })).toMatchObject({
        agoMs: minuteMs,
        crumbMs: -1000,
        reasons: ['timestamp clock_drift'],
      })
    }
  })

  it('is unchanged when the clock is off by less', () => {
    const sentAt = receivedAt - 54 * minuteMs
    expect(placed(happened(hourMs), { sentAt })).toEqual({ agoMs: hourMs, crumbMs: -1000, reasons: [] })
  })

  it.each([
    [-minuteMs, -minuteMs, []],
    [-minuteMs - 1, 0, ['timestamp future_timestamp']],
    [30 * dayMs, 30 * dayMs, []],
    [30 * dayMs + 1, 0, ['timestamp past_timestamp']],
  ])('is replaced when it is impossible: %s ms ago becomes %s ms ago', (agoMs, placedAgoMs, reasons) => {
    expect(placed(happened(agoMs))).toEqual({ agoMs: placedAgoMs, crumbMs: -1000, reasons })
  })

  it('is the time of receipt when a wrong sent_at would move a valid time out of range', () => {
    const sentAt = receivedAt + 400 * dayMs
    expect(placed(happened(minuteMs), { sentAt })).toMatchObject({
      agoMs: 0,
      reasons: ['timestamp clock_drift'],
    })
  })

  it('is the time of receipt when its timestamp is missing or invalid', () => {
    expect(normalize({}).occurredAt).toBe(receivedAt)
    expect(normalize({ timestamp: null }).fieldErrors).toEqual([])
    for (const timestamp of ['soon', {}, [], 1e300, -1, Number.NaN]) {
      const event = normalize({ timestamp })
      expect(event.occurredAt).toBe(receivedAt)
      expect(event.fieldErrors).toEqual([{ field: 'timestamp', reason: 'wrong_type' }])
    }
  })

  it('is the same when a stored event is parsed again without its envelope', () => {
    const time = fc.integer({ min: -60 * 24, max: 60 * 24 }).map((hours) => receivedAt + hours * hourMs)
    fc.assert(
      fc.property(time, time, fc.boolean(), (claimedAt, sentAt, hasTime) => {
        const raw = {
          ...(hasTime && { timestamp: claimedAt / 1000 }),
          breadcrumbs: [{ timestamp: claimedAt / 1000, message: 'a' }],
        }
        const arrived = normalize(raw, { sentAt })
        expect(normalize(raw, { occurredAt: arrived.occurredAt })).toEqual(arrived)
        expect(arrived.occurredAt).toBeLessThanOrEqual(receivedAt + minuteMs)
        expect(arrived.occurredAt).toBeGreaterThanOrEqual(receivedAt - 30 * dayMs)
      }),
    )
  })
})
