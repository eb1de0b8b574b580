import { describe, expect, it } from 'vitest'
import { normalizeEvent } from '#server/normalize/normalize-event.ts'
import { groupByV1 } from './v1.ts'

const context = { eventId: 'f'.repeat(32), receivedAt: 1_790_000_000_000 }

function group(raw: object) {
  return groupByV1(normalizeEvent(raw, context))
}

function areTogether(left: object, right: object): boolean {
  return group(left).hash === group(right).hash
}

const thrown = { platform: 'python', exception: [{ type: 'E', value: 'boom' }] }
const appFrame = { function: 'pay', module: 'shop', in_app: true, lineno: 7 }

const withFrames = (...frames: object[]) => ({
  platform: 'python',
  exception: [{ type: 'E', value: 'boom', stacktrace: { frames } }],
})

const cause = (module: string) => ({ type: 'Cause', stacktrace: { frames: [{ module, in_app: false }] } })

const synthetic = (type: string) => ({
  exception: [{ type, mechanism: { type: 'minidump', synthetic: true }, stacktrace: { frames: [appFrame] } }],
})

const nsError = (code: number, value: string) => ({
  platform: 'cocoa',
  exception: [
    {
      type: 'Any',
      value,
      mechanism: { type: 'NSError', synthetic: true, meta: { ns_error: { domain: 'd', code } } },
    },
  ],
})

const inBrowser = (...frames: object[]) => ({
  platform: 'javascript',
  exception: [{ type: 'E', value: 'boom', stacktrace: { frames } }],
})

const url = (host: string) => `https://${host}/static/js/main.3f2a1b9c.js`

const thread = (name: string, flags: object) => ({
  ...flags,
  stacktrace: { frames: [{ ...appFrame, function: name }] },
})

const sourceOf = (...values: object[]) => group({ threads: { values } }).source

const feedback = (message: string) => ({ type: 'feedback', contexts: { feedback: { message } } })

const hello = (name: string) => ({ logentry: { message: 'Hello %s', params: [name] } })

describe('fingerprint', () => {
  it.each(['{{ default }}', '{{default}}', '{{   default   }}', ' {{ default }} '])(
    '%j alone is ignored',
    (part) => {
      expect(group({ ...thrown, fingerprint: [part] })).toEqual(group(thrown))
    },
  )

  it('decides alone when it has no default', () => {
    const custom = group({ ...thrown, fingerprint: ['checkout', 'timeout'] })
    expect(custom.source).toBe('fingerprint')
    expect(group({ message: 'other', fingerprint: ['checkout', 'timeout'] }).hash).toBe(custom.hash)
  })

  it('splits the default group when it has a default', () => {
    const salted = { ...thrown, fingerprint: ['{{ default }}', 'eu'] }
    expect(areTogether(salted, { ...thrown, fingerprint: ['{{default}}', 'eu'] })).toBe(true)
    expect(areTogether(salted, { ...thrown, fingerprint: ['{{ default }}', 'us'] })).toBe(false)
    expect(areTogether(salted, { ...salted, exception: [{ type: 'F', value: 'boom' }] })).toBe(false)
    expect(areTogether(salted, thrown)).toBe(false)
  })

  it('keeps the borders between its parts', () => {
    expect(areTogether({ fingerprint: ['ab', 'c'] }, { fingerprint: ['a', 'bc'] })).toBe(false)
  })

  it('fills in variables of the event', () => {
    const event = {
      ...thrown,
      transaction: '/pay',
      level: 'fatal',
      tags: { shop: 'eu' },
      fingerprint: ['{{ transaction }}', '{{ type }}', '{{ level }}', '{{ tags.shop }}', '{{ logger }}'],
    }
    expect(areTogether(event, { fingerprint: ['/pay', 'E', 'fatal', 'eu', '<no-logger>'] })).toBe(true)
  })

  it('reads frame variables from the last in-app frame', () => {
    const frames = [
      { function: 'pay', module: 'shop', package: '/opt/shop/libshop.so', in_app: true },
      { function: 'read', in_app: false },
    ]
    const exception = [{ type: 'E', stacktrace: { frames } }]
    const fingerprint = ['{{ function }}', '{{ stack.module }}', '{{ package }}', '{{ nonsense }}']
    const spelled = ['pay', 'shop', 'libshop.so', '<unrecognized-variable-nonsense>']
    expect(areTogether({ exception, fingerprint }, { fingerprint: spelled })).toBe(true)
  })
})

describe('checksum', () => {
  it('is the hash when it is one', () => {
    const checksum = 'ABCDEF0123456789abcdef0123456789'
    expect(group({ ...thrown, checksum })).toEqual({
      hash: checksum.toLowerCase(),
      mechanism: 'v1',
      source: 'checksum',
    })
  })

  it('has its own hash, and only a fingerprint has precedence', () => {
    expect(areTogether({ ...thrown, checksum: 'mine' }, { message: 'x', checksum: 'mine' })).toBe(true)
    expect(group({ checksum: 'mine', fingerprint: ['x'] }).source).toBe('fingerprint')
  })
})

describe('exceptions', () => {
  it('are grouped by type and value when they have no frames', () => {
    expect(areTogether(thrown, { ...thrown, exception: [{ type: 'F', value: 'boom' }] })).toBe(false)
    expect(areTogether(thrown, { ...thrown, exception: [{ type: 'E', value: 'bang' }] })).toBe(false)
  })

  it('are grouped by their frames, not by their value or line numbers', () => {
    const other = { type: 'E', value: 'bang', stacktrace: { frames: [{ ...appFrame, lineno: 9 }] } }
    expect(areTogether(withFrames(appFrame), { platform: 'python', exception: [other] })).toBe(true)
    expect(areTogether(withFrames(appFrame), withFrames({ ...appFrame, function: 'refund' }))).toBe(false)
  })

  it('use library frames only when there are no others', () => {
    const library = { function: 'get', module: 'requests.api', in_app: false }
    expect(areTogether(withFrames(appFrame), withFrames(library, appFrame))).toBe(true)
    expect(areTogether(withFrames(library), withFrames({ ...library, module: 'requests.models' }))).toBe(
      false,
    )
  })

  it('count a frame that repeats the one before it once', () => {
    expect(areTogether(withFrames(appFrame), withFrames(appFrame, appFrame, appFrame))).toBe(true)
    expect(areTogether(withFrames(appFrame), withFrames(appFrame, { ...appFrame, lineno: 8 }))).toBe(false)
  })

  it('count as a chain, in order', () => {
    const chain = [
      { type: 'Cause', value: 'a' },
      { type: 'E', value: 'b' },
    ]
    expect(areTogether({ exception: chain }, { exception: chain.toReversed() })).toBe(false)
    expect(areTogether({ exception: chain }, { exception: chain.slice(1) })).toBe(false)
  })

  it('use only their in-app frames when one of the chain has such frames', () => {
    const outer = { type: 'E', stacktrace: { frames: [appFrame] } }
    expect(areTogether({ exception: [cause('lib.a'), outer] }, { exception: [cause('lib.b'), outer] })).toBe(
      true,
    )
  })

  it('ignore the type of a synthetic one', () => {
    expect(areTogether(synthetic('SIGSEGV'), synthetic('SIGBUS'))).toBe(true)
  })

  it('take domain and code of an NSError instead of the value', () => {
    expect(areTogether(nsError(1, 'a'), nsError(1, 'b'))).toBe(true)
    expect(areTogether(nsError(1, 'a'), nsError(2, 'a'))).toBe(false)
  })
})

describe('JavaScript', () => {
  it('is grouped by its functions, regardless of its host', () => {
    const left = inBrowser(
      { function: 'Foo.pay', filename: url('a.test') },
      { function: 'go', filename: url('a.test') },
    )
    const right = inBrowser(
      { function: 'pay', filename: url('b.test') },
      { function: 'go', filename: url('b.test') },
    )
    expect(areTogether(left, right)).toBe(true)
  })

  it('is grouped by its value when its only frame is an anonymous frame of the page', () => {
    const frame = { filename: 'https://a.test/', abs_path: 'https://a.test/', lineno: 3 }
    expect(areTogether(inBrowser(frame), { ...inBrowser(), exception: [{ type: 'E', value: 'boom' }] })).toBe(
      true,
    )
  })

  it('ignores frames of the engine', () => {
    const frame = { function: 'go', filename: url('a.test') }
    const engine = { function: 'Array.map', filename: '<anonymous>' }
    expect(areTogether(inBrowser(frame), inBrowser(engine, frame, { function: 'eval', filename: 'x' }))).toBe(
      true,
    )
  })
})

describe('threads', () => {
  it('are used for a single relevant thread: crashed, else current, else the only one', () => {
    const values = [thread('a', { current: true }), thread('b', { crashed: true }), thread('c', {})]
    expect(areTogether({ threads: { values } }, { threads: { values: [thread('b', {})] } })).toBe(true)
    expect(sourceOf(thread('a', {}))).toBe('threads')
  })

  it('do not count when two could be meant', () => {
    expect(sourceOf(thread('a', {}), thread('b', {}))).toBe('fallback')
    expect(sourceOf(thread('a', { crashed: true }), thread('b', { crashed: true }))).toBe('fallback')
  })
})

describe('messages', () => {
  it('are grouped by their template', () => {
    expect(areTogether(hello('Ada'), hello('Grace'))).toBe(true)
    expect(group(hello('Ada')).source).toBe('message')
  })

  it('are grouped by their text without variable parts when they have no template', () => {
    expect(areTogether({ message: 'took 3s for 10.0.0.1' }, { message: 'took 41ms for 10.9.9.9' })).toBe(true)
    expect(areTogether({ message: 'took 3s' }, { message: 'lost 3s' })).toBe(false)
  })

  it('never share an issue with an exception of the same words', () => {
    expect(areTogether({ message: 'E' }, { exception: [{ type: 'E' }] })).toBe(false)
    expect(areTogether({ exception: [{ type: 'E' }] }, { exception: [{ value: 'E' }] })).toBe(false)
  })
})

describe('events without content', () => {
  it('are grouped by platform, logger, transaction and file', () => {
    expect(group({}).source).toBe('fallback')
    expect(areTogether({}, { environment: 'staging', user: { id: '1' } })).toBe(true)
    expect(areTogether({}, { logger: 'shop' })).toBe(false)
    expect(areTogether({}, { transaction: '/pay' })).toBe(false)
    expect(areTogether({}, { platform: 'python' })).toBe(false)
  })
})

describe('feedback', () => {
  it('with the same words is grouped together, regardless of its sender', () => {
    expect(areTogether(feedback('Order 17 is gone'), feedback('Order 23 is gone'))).toBe(true)
    expect(areTogether(feedback('Order 17 is gone'), feedback('Thank you'))).toBe(false)
    expect(group(feedback('Thank you')).source).toBe('feedback')
  })

  it('is not grouped with a message of the same words', () => {
    expect(areTogether(feedback('Thank you'), { message: 'Thank you' })).toBe(false)
  })

  it('that arrives with an error does not change the group of the error', () => {
    expect(areTogether({ ...thrown, ...feedback('Thank you') }, thrown)).toBe(true)
  })
})
