import { expect, it } from 'vitest'
import type { JsonObject } from '#protocol/json.ts'
import { limitItems } from './limit-items.ts'
import { refundFiltered } from './refund-filtered.ts'
import { createRequestLimits } from './request-limits.ts'

const event = { type: 'event', header: { type: 'event' }, payload: Buffer.from('{}') }

function fileOf(byteCount: number, type?: string) {
  const header: JsonObject = { type: 'attachment', ...(type !== undefined && { attachment_type: type }) }
  return { type: 'attachment', header, payload: Buffer.alloc(byteCount) }
}

/** An event with a file, sent again and again while a filter drops it. */
function openLimits() {
  const time = { now: 0 }
  const limits = { attachment: { quantity: 1_000, windowSeconds: 100 } }
  const requestLimits = createRequestLimits([{ reason: 'key_limit', limits, buckets: new Map() }], {
    clock: () => time.now,
    processCount: 1,
  })
  const send = (file: ReturnType<typeof fileOf>, { isFiltered = false } = {}) => {
    const limited = limitItems([event, file], (question) => requestLimits.take(question))
    const filtered = ['error', 'attachment'].map((category) => ({ category, quantity: 1 }))
    const outcomes = isFiltered
      ? filtered.map((each) => Object.assign(each, { outcome: 'filtered' as const }))
      : []
    refundFiltered(requestLimits, outcomes, limited.takenForAttachments)
    return limited.kept.length
  }
  return { send, time }
}

it('the bytes of filtered attachments do not count', () => {
  const { send } = openLimits()
  for (let sent = 0; sent < 5; sent += 1) expect(send(fileOf(900), { isFiltered: true })).toBe(2)
  expect([send(fileOf(900)), send(fileOf(900))]).toEqual([2, 1])
})

it('a filtered minidump over the limit, which is kept as its event, returns nothing', () => {
  const { send, time } = openLimits()
  expect(send(fileOf(1_000))).toBe(2)
  // Takes nothing, because the limit is reached for 90 seconds.
  expect(send(fileOf(900, 'event.minidump'), { isFiltered: true })).toBe(2)
  time.now += 90_000
  expect(send(fileOf(950))).toBe(1)
})
