import { describe, expect, it } from 'vitest'
import type { Frame } from '#protocol/event.ts'
import { normalizeEvent } from '#server/normalize/normalize-event.ts'
import { readDebugIds } from './debug-images.ts'
import { listFiles } from './map-question.ts'
import { toMappedEvent } from './mapped-event.ts'
import { locationKey, type MappedLocation } from './mapped-location.ts'

const url = 'https://shop.example/app.js'
const payload = {
  platform: 'javascript',
  exception: {
    values: [
      {
        type: 'TypeError',
        stacktrace: {
          frames: [
            { filename: url, function: 'a', lineno: 1, colno: 10, in_app: true },
            { filename: url, function: 'b', lineno: 1, colno: 20, in_app: true, context_line: '{snip}' },
            { filename: url, function: 'c', lineno: 1, colno: 30, in_app: true },
            { filename: url, function: 'd', in_app: true },
          ],
        },
      },
    ],
  },
  debug_meta: {
    images: [
      { type: 'sourcemap', code_file: url, debug_id: 'C959BA20-84b3-55c7-9999-3bab49a6300c' },
      { type: 'sourcemap', code_file: '../../etc/passwd', debug_id: '../../etc/passwd' },
      { type: 'macho', code_file: url, debug_id: '00000000-0000-0000-0000-000000000000' },
      null,
    ],
  },
}
const sent = normalizeEvent(payload, { eventId: '0'.repeat(32), receivedAt: 0 })
const location = (source: string, calleeName?: string): MappedLocation => ({
  source,
  line: 7,
  column: 3,
  isLibrary: source.startsWith('node_modules'),
  contextLine: 'cart.total()',
  calleeName,
})
const keyOf = (column: number) => locationKey({ path: url, line: 1, column })
const framesOf = (event: typeof sent): Frame[] => event.exceptions[0]?.stackTrace?.frames ?? []

describe('an event', () => {
  it('looks up each position of a file once, by the debug id of its code', () => {
    expect(listFiles(sent, readDebugIds(payload))).toEqual([
      {
        path: url,
        debugId: 'c959ba2084b355c799993bab49a6300c',
        isBuilt: false,
        locations: [
          [1, 10],
          [1, 20],
          [1, 30],
        ],
      },
    ])
  })

  it('of another platform looks up nothing', () => {
    expect(listFiles({ ...sent, platform: 'python' }, new Map())).toEqual([])
  })

  it('is mapped to its sources, except frames without one, and keeps the original frames', () => {
    const locations = new Map([
      [keyOf(10), location('src/main.ts', 'totalOf')],
      [keyOf(20), location('node_modules/lib/index.js')],
    ])
    const event = toMappedEvent(sent, locations)
    expect(framesOf(event)).toEqual([
      expect.objectContaining({ filename: 'src/main.ts', function: 'a', lineNumber: 7, inApp: true }),
      expect.objectContaining({ function: 'totalOf', contextLine: 'cart.total()', inApp: false }),
      framesOf(sent)[2],
      framesOf(sent)[3],
    ])
    const raw = event.exceptions[0]?.rawStackTrace?.frames
    expect(raw?.map(({ filename, columnNumber }) => [filename, columnNumber])).toEqual(
      framesOf(sent).map(({ filename, columnNumber }) => [filename, columnNumber]),
    )
    expect(raw?.some(({ contextLine }) => contextLine !== undefined)).toBe(false)
  })

  it.each([
    ['b', 'handler', 'handler'],
    ['checkout', 'handler', 'checkout'],
    ['Cart.checkout', 'apply', 'Cart.checkout'],
    ['checkout$1', 'checkout', 'checkout'],
    ['t.checkout', 'checkout', 'checkout'],
    ['t.default', 'checkout', 'checkout'],
    ['default_1', 'checkout', 'checkout'],
    ['_default', 'checkout', 'checkout'],
    ['e.exports', 'checkout', 'checkout'],
    ['t.value', 'checkout', 'checkout'],
    ['value', 'checkout', 'checkout'],
    ['checkout/<', 'each', 'each'],
    ['checkout', undefined, 'checkout'],
  ])('names a function %s in the built code, called as %s, %s', (built, calleeName, name) => {
    const [frame] = framesOf(sent)
    const frames = [{ ...frame }, { ...frame, columnNumber: 20, function: built }]
    const event = { ...sent, exceptions: [{ stackTrace: { frames } }] }
    const locations = new Map([
      [keyOf(10), location('src/main.ts', calleeName)],
      [keyOf(20), location('src/cart.ts')],
    ])
    expect(framesOf(toMappedEvent(event, locations))[1]?.function).toBe(name)
  })

  it('is unchanged without a mapping', () => {
    expect(toMappedEvent(sent, new Map())).toBe(sent)
    expect(toMappedEvent(sent, new Map([['1:1:other', location('src/a.ts')]])).exceptions).toEqual(
      sent.exceptions,
    )
  })
})
