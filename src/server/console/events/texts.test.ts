import { describe, expect, it } from 'vitest'
import { dropSameTexts } from './texts.ts'

const issue = { title: 'OutOfStockError', subtitle: 'Wool rug: 4 wanted' }

function rowsOf(...texts: { title?: string; subtitle?: string; url?: string }[]) {
  const rows = texts.map((text, index) =>
    Object.assign(
      {
        eventId: String(index).padStart(32, '0'),
        occurredAt: 0,
        level: 'error' as const,
        environment: 'production',
      },
      issue,
      text,
    ),
  )
  return dropSameTexts(rows, issue).map(({ message, url }) => ({ message, url }))
}

describe('the rows of a list of events', () => {
  it('have their messages when one differs from that of the issue', () => {
    expect(rowsOf({ url: '/a' }, { subtitle: 'Reading chair: 1 wanted', url: '/b' })).toEqual([
      { message: 'Wool rug: 4 wanted' },
      { message: 'Reading chair: 1 wanted' },
    ])
  })

  it('have the title of an event that has another one, or no message', () => {
    expect(rowsOf({ title: 'TypeError' }, { subtitle: '' })).toEqual([
      { message: 'TypeError' },
      { message: 'OutOfStockError' },
    ])
  })

  it('have their URLs when the messages are equal', () => {
    expect(rowsOf({ url: '/a' }, { url: '/b' }, {})).toEqual([{ url: '/a' }, { url: '/b' }, {}])
  })

  it('have neither when both are equal', () => {
    expect(rowsOf({ url: '/a' }, { url: '/a' })).toEqual([{}, {}])
    expect(rowsOf()).toEqual([])
  })
})
