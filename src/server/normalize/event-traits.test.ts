import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { eventTraits } from './event-traits.ts'
import { normalizeEvent } from './normalize-event.ts'

const traitsOf = (raw: object) =>
  eventTraits(normalizeEvent(raw, { eventId: '0'.repeat(32), receivedAt: 1, isForIndex: true }))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t'))
const valuesOf = (raw: object, key: string) =>
  traitsOf(raw).flatMap(([name, value]) => (name === key ? [value] : []))
const flagsOf = (values: unknown) => valuesOf({ contexts: { flags: { values } } }, 'flags')
const frame = (name: string, in_app?: boolean) => ({
  function: name,
  filename: `${name}.js`,
  module: `shop.${name}`,
  in_app,
})

describe('the traits of an event', () => {
  it('are the values that Sentry’s search terms match', () => {
    expect(
      traitsOf({
        sdk: { name: 'sentry.python', version: '2.1.0' },
        request: { method: 'POST', url: 'https://shop.example/pay' },
        contexts: {
          response: { status_code: 502 },
          os: {
            name: 'Linux',
            kernel_version: '6.1',
            distribution_name: 'debian',
            distribution_version: '12',
            build: 'x',
          },
          device: { arch: 'arm64', brand: 'google', model_id: 'oriole', battery_level: 3 },
        },
        exception: {
          values: [
            { type: 'KeyError', stacktrace: { frames: [frame('cause', true)] } },
            { type: 'CheckoutError', stacktrace: { frames: [frame('library'), frame('pay', true)] } },
          ],
        },
      }),
    ).toEqual([
      ['error.type', 'KeyError'],
      ['error.type', 'CheckoutError'],
      ['stack.filename', 'pay.js'],
      ['stack.function', 'pay'],
      ['stack.module', 'shop.pay'],
      ['stack.filename', 'cause.js'],
      ['stack.function', 'cause'],
      ['stack.module', 'shop.cause'],
      ['sdk.name', 'sentry.python'],
      ['sdk.version', '2.1.0'],
      ['http.method', 'POST'],
      ['http.status_code', '502'],
      ['os.build', 'x'],
      ['os.kernel_version', '6.1'],
      ['os.distribution_name', 'debian'],
      ['os.distribution_version', '12'],
      ['device.brand', 'google'],
      ['device.model_id', 'oriole'],
      ['device.arch', 'arm64'],
    ])
  })

  it('include the last feature flags with their results', () => {
    expect(
      flagsOf([
        { flag: 'new-checkout', result: true },
        { flag: 'limit', result: 7 },
        { flag: 'model', result: { a: 1 } },
        { flag: 7, result: true },
        'x',
      ]),
    ).toEqual(['new-checkout:true', 'limit:7'])
    const many = Array.from({ length: 100 }, (_, at) => ({ flag: `f${at}`, result: false }))
    expect(flagsOf(many)).toHaveLength(limits.traitsPerIssueKey)
    expect(flagsOf(many).at(-1)).toBe('f99:false')
    expect(flagsOf({ a: 1 })).toEqual([])
  })

  it('include all frames when none is marked, and threads when there is no exception', () => {
    const unmarked = { exception: { type: 'E', stacktrace: { frames: [frame('a'), frame('b')] } } }
    expect(valuesOf(unmarked, 'stack.function')).toEqual(['b', 'a'])
    const threads = { threads: { values: [{ stacktrace: { frames: [frame('main')] } }] } }
    expect(valuesOf(threads, 'stack.function')).toEqual(['main'])
  })

  it('are few, short and one line each for any event', () => {
    const frames = Array.from({ length: 250 }, (_, index) => frame(`f${index}\nx`.padEnd(900, 'y'), true))
    const chain = Array.from({ length: 50 }, (_, index) => ({ type: `E${index}`, stacktrace: { frames } }))
    const traits = traitsOf({ exception: { values: chain } })
    expect(traits.length).toBeLessThanOrEqual(limits.traitFrames * 3 + limits.traitExceptions + 10)
    for (const [, value] of traits) expect(value).toMatch(/^.{1,200}$/)
    expect(traitsOf({ exception: 7, threads: 'x', contexts: [], sdk: [], request: 1 })).toEqual([])
  })
})
