import { describe, expect, it } from 'vitest'
import { eventCulprit } from '#server/normalize/culprit.ts'
import { normalizeEvent } from '#server/normalize/normalize-event.ts'
import { eventTitle } from '#server/normalize/title.ts'

const normalize = (raw: unknown) =>
  normalizeEvent(raw, { eventId: 'a'.repeat(32), receivedAt: Date.UTC(2026, 10, 21) })

const sent = {
  type: 'feedback',
  level: 'info',
  contexts: {
    feedback: {
      contact_email: 'jane@example.com',
      name: 'Jane',
      message: '  The button\ndoes nothing ',
      url: 'https://shop.test/checkout',
      associated_event_id: '5B67DFE1-F356-4F7B-B929-2C8F6DC29D21',
    },
  },
}

describe('feedback', () => {
  it('is parsed, titled by its first line, and has the URL of its page', () => {
    const event = normalize(sent)
    expect(event).toMatchObject({
      type: 'feedback',
      level: 'info',
      feedback: {
        message: 'The button\ndoes nothing',
        name: 'Jane',
        email: 'jane@example.com',
        url: 'https://shop.test/checkout',
        aboutEventId: '5b67dfe1f3564f7bb9292c8f6dc29d21',
      },
    })
    expect(eventTitle(event)).toEqual({ title: 'The button', subtitle: 'User feedback from Jane' })
    expect(eventCulprit(event)).toBe('https://shop.test/checkout')
  })

  it.each([
    [{ message: 'Hm', contact_email: 'jo@example.com' }, 'Hm', 'User feedback from jo@example.com'],
    [{ message: 'Hm', name: 'Jo\nDoe' }, 'Hm', 'User feedback from Jo'],
    [{ message: 'Hm' }, 'Hm', 'User feedback'],
  ])('is titled by its message and its author: %j', (feedback, title, subtitle) => {
    expect(eventTitle(normalize({ contexts: { feedback } }))).toEqual({ title, subtitle })
  })

  it('is detected by its context as well, unless the event has another type', () => {
    const { contexts } = sent
    expect(normalize({ contexts }).type).toBe('feedback')
    expect(normalize({ contexts, type: 'userreportv2' }).type).toBe('feedback')
    expect(normalize({ contexts, exception: { type: 'Error' } }).type).toBe('error')
    expect(normalize({ contexts, message: 'Hello' }).type).toBe('default')
    expect(normalize({ contexts, type: 'transaction' }).type).toBe('transaction')
  })

  it('keeps only those fields of its context that are not shown elsewhere', () => {
    expect(normalize(sent).contexts).toEqual({})
    const feedback = { ...sent.contexts.feedback, replay_id: 'r' }
    expect(normalize({ ...sent, contexts: { feedback } }).contexts).toEqual({ feedback: { replay_id: 'r' } })
  })

  it('has the level info, unless the SDK sets another one', () => {
    expect(normalize({ contexts: sent.contexts }).level).toBe('info')
    expect(normalize({ ...sent, level: 'fatal' }).level).toBe('fatal')
  })

  it('is missing without a message', () => {
    for (const feedback of [null, 'text', [], {}, { message: '' }, { message: '  ' }, { message: {} }]) {
      const event = normalize({ type: 'feedback', contexts: { feedback } })
      expect(event.feedback).toBeUndefined()
    }
  })

  it('keeps readable fields if others are invalid', () => {
    const event = normalize({
      contexts: {
        feedback: { message: 'a\0b\ud800', name: [], contact_email: {}, associated_event_id: 'x' },
      },
    })
    expect(event.feedback).toEqual({ message: 'a\ufffdb\ufffd' })
    expect(event.fieldErrors.map(({ field }) => field)).toContain('contexts.feedback.name')
  })
})
