import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSessionAggregates, parseSessionUpdate, sessionStates } from './session.ts'

const sid = '183c0471-60d6-4dd9-be1b-5dea00575bfc'
const started = '2026-11-21T02:49:21.763Z'
const attrs = { release: 'my-app@1.2.3', environment: 'production' }

/** The payload of the only item of a captured envelope. */
function readFixture(name: string): unknown {
  const [, , payload = ''] = readFileSync(`test/fixtures/envelopes/${name}`, 'utf8').split('\n')
  return JSON.parse(payload)
}

describe('an update of a session', () => {
  it('is read as the browser SDK sends it', () => {
    const update = parseSessionUpdate(readFixture('browser-10.75.2.error.01.session.body'))
    expect(update).toEqual({
      sid: 'ffefa7839b0440daa3bccb5474dbc7f0',
      did: '7',
      isFirst: true,
      startedAt: Date.parse('2026-11-21T02:51:46.279Z'),
      updatedAt: Date.parse('2026-11-21T02:51:46.280Z'),
      state: 'healthy',
      attributes: {
        release: 'web@2.0.0',
        environment: 'production',
        userAgent: update?.attributes.userAgent,
      },
    })
    expect(update?.attributes.userAgent).toMatch('HeadlessChrome')
  })

  it.each([
    ['ok', 0, 'healthy'],
    ['exited', 0, 'healthy'],
    ['exited', 2, 'errored'],
    ['errored', 0, 'errored'],
    ['unhandled', 1, 'unhandled'],
    ['abnormal', 0, 'abnormal'],
    ['crashed', 1, 'crashed'],
    ['a status to come', 0, 'errored'],
    [undefined, undefined, 'healthy'],
    ['ok', 'many', 'healthy'],
  ])('with the status %s and %s errors is %s', (status, errors, state) => {
    expect(parseSessionUpdate({ sid, started, status, errors, attrs })?.state).toBe(state)
  })

  it.each([
    ['an id', { started, attrs }],
    ['an id that is one', { sid: '0'.repeat(32), started, attrs }],
    ['a start', { sid, attrs }],
    ['a release', { sid, started, attrs: { environment: 'production' } }],
    ['a release on one line', { sid, started, attrs: { release: 'a\nb' } }],
    ['attributes', { sid, started, attrs: 'my-app' }],
  ])('is undefined without %s', (_, value) => {
    expect(parseSessionUpdate(value)).toBeUndefined()
  })

  it('drops invalid fields only', () => {
    const odd = {
      sid,
      started,
      seq: -1,
      did: {},
      init: 'yes',
      timestamp: [],
      attrs: { ...attrs, user_agent: 7 },
    }
    expect(parseSessionUpdate(odd)).toEqual({
      sid: sid.replaceAll('-', ''),
      isFirst: false,
      startedAt: Date.parse(started),
      state: 'healthy',
      attributes: attrs,
    })
  })
})

describe('aggregates of sessions', () => {
  it('are read as the Node SDK sends them', () => {
    expect(parseSessionAggregates(readFixture('node-10.75.2.sessionsAgg.02.sessions.body'))).toEqual({
      buckets: [
        {
          startedAt: Date.parse('2026-11-21T02:49:00.000Z'),
          counts: { healthy: 2, errored: 1, unhandled: 0, abnormal: 0, crashed: 0 },
        },
      ],
      attributes: attrs,
    })
  })

  it('omit a bucket without a start, and invalid counts', () => {
    const aggregates = [{ exited: 1 }, null, { started, did: 7, exited: -3, crashed: 1.5, errored: 1e12 }]
    expect(parseSessionAggregates({ attrs, aggregates })?.buckets).toEqual([
      {
        startedAt: Date.parse(started),
        did: '7',
        counts: { healthy: 0, errored: 1_000_000, unhandled: 0, abnormal: 0, crashed: 1 },
      },
    ])
  })

  it.each([[{ attrs }], [{ aggregates: [] }], [{ attrs, aggregates: {} }], [[]]])(
    'are undefined for %j',
    (value) => {
      expect(parseSessionAggregates(value)).toBeUndefined()
    },
  )
})

it('any payload is parsed without an exception and yields valid counts only', () => {
  const anything = fc.anything()
  const payload = fc.oneof(
    anything,
    fc.record(
      {
        sid: fc.oneof(fc.uuid(), anything),
        started: fc.oneof(fc.constant(started), fc.double(), anything),
        seq: anything,
        init: anything,
        status: fc.oneof(fc.constantFrom('ok', 'exited', 'crashed'), anything),
        errors: anything,
        attrs: fc.oneof(
          fc.record({ release: fc.oneof(fc.string(), anything), environment: anything }),
          anything,
        ),
        aggregates: fc.oneof(
          fc.array(fc.record({ started: fc.constant(started), exited: anything, crashed: anything })),
          anything,
        ),
      },
      { requiredKeys: [] },
    ),
  )
  fc.assert(
    fc.property(payload, (value) => {
      const update = parseSessionUpdate(value)
      const isCountable =
        update === undefined ||
        (/^[0-9a-f]{32}$/.test(update.sid) &&
          update.attributes.release !== '' &&
          sessionStates.includes(update.state) &&
          Number.isSafeInteger(update.startedAt))
      expect(isCountable).toBe(true)
      for (const { counts } of parseSessionAggregates(value)?.buckets ?? []) {
        for (const count of Object.values(counts))
          expect(Number.isSafeInteger(count) && count >= 0).toBe(true)
      }
    }),
  )
})
