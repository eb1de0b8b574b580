import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { createCursorCodec, cursorNumber, toKeysetPage } from './keyset-page.ts'

const codec = createCursorCodec('by-size', v.object({ size: cursorNumber, name: v.string() }))
const sizes = createCursorCodec('sizes', cursorNumber)

function encodeSize(size: string): string {
  return Buffer.from(`["by-size","after",{"size":${size},"name":""}]`).toString('base64url')
}

/** A page of a list of numbers, largest first. */
function listPage(list: readonly number[], text?: string) {
  const cursor = sizes.parse(text)
  const isBackwards = cursor?.side === 'before'
  const sorted = list.toSorted((one, other) => (isBackwards ? one - other : other - one))
  const beyond = sorted.filter(
    (each) => cursor === undefined || (isBackwards ? each > cursor.position : each < cursor.position),
  )
  return toKeysetPage(beyond.slice(0, 3), { cursor, codec: sizes, limit: 2, positionOf: (row) => row })
}

describe('a cursor', () => {
  it('is parsed as it was formatted', () => {
    const cursor = { side: 'before', position: { size: Number.MAX_SAFE_INTEGER, name: 'ä"b' } } as const
    expect(codec.parse(codec.format(cursor))).toEqual(cursor)
  })

  it.each([
    ['empty', ''],
    ['no JSON', 'x'],
    ['too long', 'a'.repeat(5000)],
    ['of another list', sizes.format({ side: 'after', position: 1 })],
    ['of an unknown side', Buffer.from('["by-size","aside",{"size":1,"name":""}]').toString('base64url')],
    ['without a value', Buffer.from('["by-size","after",{"size":1}]').toString('base64url')],
    ['larger than a safe integer', encodeSize('9999999999999999')],
    ['below zero', encodeSize('-1')],
    ['a fraction', encodeSize('1.5')],
  ])('is rejected when it is %s', (_what, text) => {
    expect(codec.parse(text)).toBeUndefined()
  })
})

describe('a page', () => {
  it('links to the end of the list and back to its start', () => {
    const list = [5, 4, 3, 2, 1]
    const first = listPage(list)
    expect(first).toEqual({ rows: [5, 4], nextCursor: sizes.format({ side: 'after', position: 4 }) })
    const second = listPage(list, first.nextCursor)
    const third = listPage(list, second.nextCursor)
    expect([second.rows, third.rows]).toEqual([[3, 2], [1]])
    expect(third.nextCursor).toBeUndefined()
    const back = listPage(list, third.previousCursor)
    expect(back).toEqual(second)
    expect(listPage(list, back.previousCursor)).toEqual(first)
  })

  it('of a full last page has no next one', () => {
    expect(listPage([2, 1])).toEqual({ rows: [2, 1] })
  })

  it('that has become empty links back', () => {
    const empty = listPage([9, 8], sizes.format({ side: 'after', position: 5 }))
    expect(empty.rows).toEqual([])
    expect(listPage([9, 8], empty.previousCursor).rows).toEqual([9, 8])
  })

  it('of a scan-limited read continues where the scan ended', () => {
    const page = toKeysetPage<number, number>([], {
      cursor: undefined,
      codec: sizes,
      limit: 2,
      positionOf: (row) => row,
      end: 7,
    })
    expect(page).toEqual({ rows: [], nextCursor: sizes.format({ side: 'after', position: 7 }) })
  })
})
