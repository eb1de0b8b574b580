import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { ExceptionValue } from '#protocol/event.ts'
import type { EventViewSearch } from './event-view-search.ts'
import { ExceptionList } from './exception-list.tsx'
import { isValueOf } from './exception-title.ts'
import { HandledMark } from './mechanism-marks.tsx'

const plain = (html: string) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')

const exceptions: ExceptionValue[] = [
  { type: 'KeyError', mechanism: { source: '__cause__' } },
  { type: 'StockError', mechanism: { source: '__context__' } },
  { type: 'RuntimeError', value: 'late', mechanism: { handled: true } },
]

function textOf(shown: EventViewSearch): string {
  const event = { exceptions, platform: 'python', redactions: [] }
  return plain(
    renderToStaticMarkup(<ExceptionList event={event} issue={{ title: '', subtitle: '' }} shown={shown} />),
  )
}

it('distinguishes the cause of an exception from the one that was being handled', () => {
  expect(textOf({})).toMatch(/RuntimeError .*raised while handling StockError .*caused by KeyError/)
  expect(textOf({ order: 'root-first' })).toMatch(
    /KeyError .*which caused StockError .*whose handling raised RuntimeError/,
  )
})

it('is unhandled if one exception of the chain is', () => {
  const member = { type: 'RangeError', mechanism: { handled: false } }
  expect(plain(renderToStaticMarkup(<HandledMark exceptions={exceptions} />))).toContain(' handled')
  expect(plain(renderToStaticMarkup(<HandledMark exceptions={[member, ...exceptions]} />))).toContain(
    'unhandled',
  )
  expect(renderToStaticMarkup(<HandledMark exceptions={[{ type: 'Error' }]} />)).toBe('')
})

it('finds messages that repeat the value of the thrown exception', () => {
  expect(isValueOf({ formatted: 'late ' }, exceptions)).toBe(true)
  expect(isValueOf({ formatted: 'late', params: [1] }, exceptions)).toBe(false)
  expect(isValueOf({ formatted: 'other' }, exceptions)).toBe(false)
})
