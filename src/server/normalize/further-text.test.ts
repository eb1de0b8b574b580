import { describe, expect, it } from 'vitest'
import { furtherText } from './further-text.ts'
import { normalizeEvent } from './normalize-event.ts'
import { eventTitle } from './title.ts'

function textOf(payload: object): string {
  const event = normalizeEvent({ ...payload }, { eventId: 'a'.repeat(32), receivedAt: 0 })
  return furtherText(event, eventTitle(event))
}

describe('the text of an event beyond its title', () => {
  it('is empty for one exception of one line, and for a message', () => {
    expect(textOf({ exception: { values: [{ type: 'TypeError', value: 'x is not a function' }] } })).toBe('')
    expect(textOf({ message: 'The queue is full' })).toBe('')
  })

  it('contains the further lines, the causes and the message', () => {
    const values = [
      { type: 'SocketError', value: 'connection lost' },
      { type: 'TypeError', value: 'first line\nsecond line' },
    ]
    const text = textOf({ exception: { values }, message: 'while paying' })
    for (const part of ['second line', 'SocketError', 'connection lost', 'while paying'])
      expect(text).toContain(part)
  })

  it('is bounded', () => {
    const values = Array.from({ length: 50 }, (_, index) => ({ type: `E${index}`, value: 'x'.repeat(5_000) }))
    expect(textOf({ exception: { values } }).length).toBeLessThanOrEqual(1_000)
  })
})
