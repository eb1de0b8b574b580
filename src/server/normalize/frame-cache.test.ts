import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJsonObject } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'
import { scrubEvent } from '#server/scrub/scrub-event.ts'
import { createScrubPlan } from '#server/scrub/scrub-plan.ts'
import { defaultScrubSettings } from '#server/scrub/scrub-settings.ts'
import { EventCache } from './event-cache.ts'
import { normalizeEvent } from './normalize-event.ts'

const frames = (name: string) => [
  { function: name, filename: 'https://shop.example/a.js', lineno: 7, in_app: true },
  { function: `${name}Inner`, lineno: 0, context_line: 'return [{ a: [1] }]' },
]
const exceptionOf = (name: string) => ({ type: 'Error', value: name, stacktrace: { frames: frames(name) } })
const cache = new EventCache()
const parse = (text: string): unknown => {
  const parsed = cache.frames.parsePayload(Buffer.from(text))
  return parsed.ok ? parsed.value : undefined
}

/** Three times: the first event is parsed whole, the second one shares its frames, the third uses them. */
const expectAsParsed = (text: string) => {
  for (let time = 0; time < 3; time += 1) expect(parse(text)).toEqual(JSON.parse(text))
}

function framesOf(payload: unknown): unknown {
  const [exception] = isJsonObject(payload) && Array.isArray(payload['exception']) ? payload['exception'] : []
  return isJsonObject(exception) && isJsonObject(exception['stacktrace'])
    ? exception['stacktrace']['frames']
    : undefined
}

const short = (lineno: number) => `{"exception":[{"stacktrace":{"frames":[{"lineno":${lineno}}]}}]}`

const alike = (digit: number) =>
  JSON.stringify({
    exception: [
      {
        stacktrace: {
          frames: [{ lineno: digit }, { function: 'a name as long as the end that is compared'.repeat(2) }],
        },
      },
    ],
  })

describe('a payload with frames of earlier events', () => {
  it('equals the result of JSON.parse for traces at any known path', () => {
    const trace = { stacktrace: { frames: frames('top') } }
    for (const payload of [
      { exception: { values: [exceptionOf('a'), { type: 'no trace' }, exceptionOf('b'), exceptionOf('a')] } },
      { exception: [exceptionOf('a')], threads: { values: [{ id: 1, ...trace }] } },
      { exception: exceptionOf('a'), ...trace },
      { threads: [trace, null, 7], exception: { values: [exceptionOf('a')] } },
    ]) {
      expectAsParsed(JSON.stringify(payload))
    }
  })

  it('shares them with the others', () => {
    const [, one, other] = ['first', 'one', 'other'].map((message) =>
      framesOf(parse(JSON.stringify({ message, exception: [exceptionOf('shared')] }))),
    )
    expect(one).toBe(other)
    expect(Array.isArray(one) && cache.frames.areShared(one)).toBe(true)
  })

  it('is parsed as a whole when traces are at other paths or contain their own end marker', () => {
    const tricky = {
      ...exceptionOf('tricky'),
      stacktrace: { frames: [{ vars: { list: [{ a: [{ b: 1 }] }] } }, { context_line: 'f([{}]})' }] },
    }
    for (const payload of [
      { extra: { stacktrace: { frames: frames('extra') } }, exception: [exceptionOf('a')] },
      { extra: { text: JSON.stringify(exceptionOf('quoted')) } },
      { 'x"stacktrace': { frames: frames('odd name') } },
      { exception: [tricky, exceptionOf('a')] },
      { message: '\x7f0', exception: [exceptionOf('a')] },
      { exception: [{ stacktrace: { frames: '\x7f0' } }, exceptionOf('a')] },
    ]) {
      expectAsParsed(JSON.stringify(payload))
    }
  })

  it('keeps the last of duplicate names, and rejects invalid JSON', () => {
    const one = JSON.stringify(exceptionOf('one'))
    expectAsParsed(`{"exception":[${one}],"exception":[${JSON.stringify(exceptionOf('two'))}]}`)
    expect(parse(`{"exception":[${one}`)).toBeUndefined()
    expect(parse(`{"message":"{"stacktrace":{"frames":[{}]}"}`)).toBeUndefined()
    expect(parse('{"stacktrace":{"frames":[')).toBeUndefined()
  })

  it('is distinguished from others of the same length and with the same end', () => {
    for (let time = 0; time < 3; time += 1)
      for (let digit = 10; digit < 40; digit += 1) expectAsParsed(alike(digit))
  })

  it('equals the result of JSON.parse for any object', () => {
    const trace = fc.record({
      frames: fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { minLength: 1 }),
    })
    const payload = fc.record({
      exception: fc.array(fc.record({ value: fc.string(), stacktrace: trace })),
      extra: fc.jsonValue(),
    })
    fc.assert(fc.property(payload, (value) => expectAsParsed(JSON.stringify(value))))
  })

  it('is parsed again after the memory has filled up with other lists', () => {
    parse(short(0))
    const first = framesOf(parse(short(0)))
    expect(framesOf(parse(short(0)))).toBe(first)
    for (let lineno = 1; lineno <= limits.cachedFramesCharacters / 200; lineno += 1)
      for (let time = 0; time < 2; time += 1) parse(short(lineno))
    expect(framesOf(parse(short(0)))).toEqual(first)
    expect(framesOf(parse(short(0)))).not.toBe(first)
  })

  it('is scrubbed and read like the first one with these frames', () => {
    const secret = { function: 'pay', context_line: 'token = "ghp_0123456789abcdef0123456789abcdef0123"' }
    const unread = { function: 'bad', lineno: 'no number' }
    const text = JSON.stringify({
      platform: 'javascript',
      exception: [exceptionOf('clean'), { stacktrace: { frames: [secret, unread] } }],
    })
    const plan = createScrubPlan(defaultScrubSettings)
    const read = () => {
      const { value, nameCount } = scrubEvent(parse(text) as never, plan, cache.frames)
      return {
        value,
        nameCount,
        event: normalizeEvent(value, { eventId: '0'.repeat(32), receivedAt: 1, isForIndex: true, cache }),
      }
    }
    const first = read()
    expect(JSON.stringify(first.value)).not.toContain('ghp_')
    expect(first.event.fieldErrors).toHaveLength(1)
    expect(read()).toEqual(first)
    expect(read()).toEqual(first)
  })
})
