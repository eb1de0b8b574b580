import { describe, expect, it } from 'vitest'
import type { FieldError, Frame } from '#protocol/event.ts'
import type { Json } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'
import { FieldReader } from '#server/normalize/field-reader.ts'
import { readStackTrace } from './stack-trace.ts'

function framesOf(stacktrace: Json, errors: FieldError[] = []): Frame[] | undefined {
  return readStackTrace(FieldReader.of({ stacktrace }, { errors, isForIndex: false }), 'stacktrace')?.frames
}

describe('readStackTrace', () => {
  it('reads every field of a frame', () => {
    const frame = {
      function: 'inner',
      raw_function: 'Object.inner',
      module: 'cart',
      filename: 'cart.js',
      abs_path: '/srv/app/cart.js',
      package: 'libcart',
      symbol: '_inner',
      lineno: 15,
      colno: '90',
      context_line: '  throw new Error()',
      pre_context: ['a', ''],
      post_context: ['b', 1],
      in_app: true,
      vars: { x: 1 },
      platform: 'node',
      instruction_addr: '0x1f',
      unknown_field: 1,
    }
    expect(framesOf({ frames: [frame] })).toEqual([
      {
        function: 'inner',
        rawFunction: 'Object.inner',
        module: 'cart',
        filename: 'cart.js',
        absPath: '/srv/app/cart.js',
        package: 'libcart',
        symbol: '_inner',
        lineNumber: 15,
        columnNumber: 90,
        contextLine: '  throw new Error()',
        preContext: ['a', ''],
        postContext: ['b', '1'],
        inApp: true,
        vars: { x: 1 },
        platform: 'node',
        instructionAddress: '0x1f',
      },
    ])
  })

  it.each([
    ['http://a.example/static/app.js?v=1#x', '/static/app.js'],
    ['app:///src/app.js', '/src/app.js'],
    ['webpack://app/./src/app.js', '/./src/app.js'],
    ['http://a.example/', 'http://a.example/'],
    ['http://a.example', 'http://a.example'],
    ['C:\\app\\app.cs', 'C:\\app\\app.cs'],
    ['node:internal/timers', 'node:internal/timers'],
  ])('names the file of %s %s', (location, filename) => {
    expect(framesOf({ frames: [{ filename: location }] })).toEqual([{ filename, absPath: location }])
    expect(framesOf({ frames: [{ abs_path: location }] })).toEqual([{ filename, absPath: location }])
  })

  it('drops the values that SDKs send for "unknown"', () => {
    const frame = { function: '?', symbol: '?', lineno: 0, colno: 0, in_app: null, filename: '', module: 'm' }
    expect(framesOf({ frames: [frame] })).toEqual([{ module: 'm' }])
  })

  it.each<Json>([null, {}, [], 'x', 7, { frames: null }, { frames: {} }, { frames: [null, {}, 7, [], 'x'] }])(
    'finds no frame in %j',
    (stacktrace) => {
      expect(framesOf(stacktrace)).toBeUndefined()
    },
  )

  it('reads a bare list of frames', () => {
    expect(framesOf([{ function: 'f' }])).toEqual([{ function: 'f' }])
  })

  it('records an error for an unreadable field and reads the others', () => {
    const errors: FieldError[] = []
    const frames = framesOf({ frames: [{ function: {}, lineno: 'x', vars: 7, module: 'm' }] }, errors)
    expect(frames).toEqual([{ module: 'm' }])
    expect(errors).toEqual([
      { field: 'stacktrace.frames.0.function', reason: 'wrong_type' },
      { field: 'stacktrace.frames.0.lineno', reason: 'wrong_type' },
      { field: 'stacktrace.frames.0.vars', reason: 'wrong_type' },
    ])
  })

  it('keeps both ends of an over-long trace, and the frames in the app between them', () => {
    const errors: FieldError[] = []
    const sent = Array.from({ length: 1000 }, (_, index) => ({
      function: `f${index}`,
      in_app: index === 500,
    }))
    const names = framesOf({ frames: sent }, errors)?.map((frame) => frame.function)
    expect(names).toHaveLength(limits.frames)
    expect(names).toContain('f500')
    expect(names?.[0]).toBe('f0')
    expect(names?.at(-1)).toBe('f999')
    expect(names).toEqual(names?.toSorted((left, right) => Number(left?.slice(1)) - Number(right?.slice(1))))
    expect(errors).toEqual([{ field: 'stacktrace.frames', reason: 'too_many' }])
  })

  it('keeps variables and source lines only of some frames of a long trace', () => {
    const sent = Array.from({ length: 100 }, () => ({ function: 'f', vars: { a: 1 }, pre_context: ['x'] }))
    const detailed = framesOf({ frames: sent })?.filter((frame) => frame.vars !== undefined)
    expect(detailed).toHaveLength(limits.detailedFrames)
  })

  it('keeps the source lines nearest to the frame', () => {
    const lines = Array.from({ length: 100 }, (_, index) => String(index))
    const [frame] = framesOf([{ pre_context: lines, context_line: '', post_context: lines }]) ?? []
    expect(frame?.preContext?.at(-1)).toBe('99')
    expect(frame?.postContext?.[0]).toBe('0')
    expect(frame?.contextLine).toBe('')
    expect(frame?.preContext).toHaveLength(limits.contextLines)
  })
})
