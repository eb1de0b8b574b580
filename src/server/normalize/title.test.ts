import { describe, expect, it } from 'vitest'
import { normalizeEvent } from './normalize-event.ts'
import { eventTitle } from './title.ts'

const titleOf = (raw: unknown) =>
  eventTitle(normalizeEvent(raw, { eventId: 'a'.repeat(32), receivedAt: Date.UTC(2026, 10, 21) }))

const synthetic = { type: 'generic', synthetic: true }
const stacktrace = {
  frames: [
    { function: 'click', in_app: true },
    { function: 'dispatch', in_app: false },
  ],
}

const group = {
  type: 'System.AggregateException',
  value: 'One or more errors occurred.',
  mechanism: { type: 'UnobservedTaskException', exception_id: 0, is_exception_group: true },
}

const member = (exceptionId: number, type = 'System.TimeoutException') => ({
  type,
  value: `Order ${exceptionId}`,
  mechanism: { type: 'chained', exception_id: exceptionId, parent_id: 0 },
})

describe('eventTitle', () => {
  it.each([
    [
      'the thrown exception',
      {
        exception: [
          { type: 'A', value: 'a' },
          { type: 'TypeError', value: 'x is\nnot' },
        ],
      },
      'TypeError',
      'x is',
    ],
    ['a type alone', { exception: { type: 'KeyError' } }, 'KeyError', ''],
    ['a value alone', { exception: { value: '\n Lost\nit' } }, 'Lost', ''],
    [
      'a synthetic exception with frames',
      { exception: { type: 'Error', value: 'Object captured', mechanism: synthetic, stacktrace } },
      'click',
      'Object captured',
    ],
    [
      'a synthetic exception without frames',
      { exception: { type: 'Error', value: 'x', mechanism: synthetic } },
      'Error',
      'x',
    ],
    [
      'a message with a stack trace',
      { message: 'Hello', exception: { value: 'Hello', mechanism: synthetic, stacktrace } },
      'Hello',
      '',
    ],
    ['an exception that says nothing', { exception: { stacktrace } }, '<unknown>', ''],
    ['a message', { logentry: { message: 'hi %s', params: ['Jo\nAnn'] } }, 'hi Jo', ''],
    ['a transaction', { type: 'transaction', transaction: 'GET /' }, 'GET /', ''],
    ['a transaction without a name', { type: 'transaction' }, '<unlabeled event>', ''],
    ['a stack trace alone', { stacktrace }, '<unlabeled event>', ''],
    [
      'an exception group by its only member',
      { exception: [member(2), member(1), group] },
      'System.TimeoutException',
      'Order 1',
    ],
    [
      'an exception group with different members',
      { exception: [member(2, 'System.IOException'), member(1), group] },
      'System.AggregateException',
      'One or more errors occurred.',
    ],
  ])('names %s', (_, raw, ...[title, subtitle]) => {
    expect(titleOf(raw)).toEqual({ title, subtitle })
  })

  it.each([
    [
      { effective_directive: 'script-src-elem', blocked_uri: 'https://evil.example:8443/a.js?b' },
      "Blocked 'script' from 'evil.example:8443'",
    ],
    [{ violated_directive: "style-src 'self'", blocked_uri: 'inline' }, "Blocked inline 'style'"],
    [
      { effective_directive: 'script-src', blocked_uri: 'eval' },
      "Blocked unsafe (eval() or inline) 'script'",
    ],
    [{ effective_directive: 'img-src', blocked_uri: 'data' }, "Blocked 'img' from 'data'"],
    [{ effective_directive: 'img-src', blocked_uri: 'data:text/plain,x' }, "Blocked 'img' from 'data:'"],
    [
      { 'effective-directive': 'font-src', 'blocked-uri': 'https://f.example' },
      "Blocked 'font' from 'f.example'",
    ],
    [
      { effectiveDirective: 'connect-src', blockedURL: 'wss://w.example/' },
      "Blocked 'connect' from 'w.example'",
    ],
  ])('names a CSP report %j', (csp, title) => {
    expect(titleOf({ csp })).toEqual({ title, subtitle: '' })
  })

  it('names the other security reports', () => {
    expect(titleOf({ hpkp: { hostname: 'a.example' } }).title).toBe(
      "Public key pinning validation failed for 'a.example'",
    )
    expect(titleOf({ expectct: { hostname: 'a.example' } }).title).toBe("Expect-CT failed for 'a.example'")
  })

  it('is short, and one line', () => {
    const { title, subtitle } = titleOf({ exception: { type: 'E'.repeat(1000), value: 'x'.repeat(10_000) } })
    expect(title).toHaveLength(256)
    expect(subtitle).toHaveLength(1024)
  })
})
