import { describe, expect, it } from 'vitest'
import { isNilEventId, parseEventId } from './event-id.ts'

describe('parseEventId', () => {
  it.each([
    ['12c2d058d58442709aa2eca08bf20986', '12c2d058d58442709aa2eca08bf20986'],
    ['12C2D058-D584-4270-9AA2-ECA08BF20986', '12c2d058d58442709aa2eca08bf20986'],
  ])('reads %s', (text, eventId) => {
    expect(parseEventId(text)).toBe(eventId)
  })

  it.each([
    '',
    'x'.repeat(32),
    '12c2d058d58442709aa2eca08bf2098',
    '12c2d058d58442709aa2eca08bf209866',
    '12c2d058d584-4270-9aa2-eca08bf20986',
    '12c2d058d58442709aa2eca08bf20986\n',
    '0'.repeat(32),
    { $gt: '' },
    12,
    null,
    ['12c2d058d58442709aa2eca08bf20986'],
  ])('rejects %j', (value) => {
    expect(parseEventId(value)).toBeUndefined()
  })

  it('recognizes the nil id in both spellings', () => {
    expect(isNilEventId('00000000-0000-0000-0000-000000000000')).toBe(true)
    expect(isNilEventId('0'.repeat(32))).toBe(true)
    expect(isNilEventId('12c2d058d58442709aa2eca08bf20986')).toBe(false)
  })
})
