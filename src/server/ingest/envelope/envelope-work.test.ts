import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EnvelopeItem } from '#protocol/envelope.ts'
import { ProblemPace } from '#server/ingest/items/problem-pace.ts'
import { compileProjectRules } from '#server/ingest/project-rules.ts'
import { defaultProjectSettings } from '#server/store/projects/settings.ts'
import { readEnvelope } from '#test/envelope-work.ts'
import type { WorkContext } from './envelope-state.ts'
import { EnvelopeTask, toEnvelopeWork } from './envelope-work.ts'

const generatedId = 'f'.repeat(32)

function contextWith(onFailure: WorkContext['onFailure'] = () => undefined): WorkContext {
  return {
    projectId: 42,
    receivedAt: 1_700_000_000_000,
    rules: compileProjectRules(defaultProjectSettings),
    createEventId: () => generatedId,
    onFailure,
  }
}

function itemOf(type: string, payload: string): EnvelopeItem {
  return { type, header: { type }, payload: Buffer.from(payload) }
}

function entryOf(...items: EnvelopeItem[]) {
  return toEnvelopeWork({ header: { raw: {} }, items }, contextWith())
}

/** An item on which our own code fails: no SDK sends it, but a bug of ours could cause it. */
function failingItem(type: string): EnvelopeItem {
  const payload = Buffer.from('{}')
  let hasFailed = false
  return {
    type,
    get header() {
      if (hasFailed) return { type }
      hasFailed = true
      throw new Error('a bug of ours')
    },
    payload,
  }
}

/** A slow query of a trace. */
function slowSpan(trace: string, number: number): object {
  return {
    trace_id: trace.repeat(32),
    span_id: String(number).padStart(16, '0'),
    parent_span_id: String(1).padStart(16, '0'),
    name: 'SELECT',
    is_segment: false,
    start_timestamp: 1_699_999_999,
    end_timestamp: 1_699_999_999.9,
    status: 'ok',
    attributes: {
      'sentry.op': { type: 'string', value: 'db.query' },
      'db.query.text': { type: 'string', value: `SELECT name FROM of_${trace}` },
      'db.system.name': { type: 'string', value: 'postgresql' },
    },
  }
}

/** Fails at the second problem of an item. */
class FailingPace extends ProblemPace {
  private count = 0

  override take(found: Parameters<ProblemPace['take']>[0]): boolean {
    this.count += 1
    if (this.count === 2) throw new Error('a bug of ours')
    return super.take(found)
  }
}

describe('toEnvelopeWork', () => {
  it('stores an item on which our code throws as a dead letter, and accepts the others', () => {
    const failures: string[] = []
    const { items, header } = readEnvelope('{}\n{"type":"event"}\n{"message":"a"}')
    const { work, eventId } = toEnvelopeWork(
      { header, items: [failingItem('log'), ...items] },
      contextWith((itemType, thrown) => failures.push(`${itemType}: ${String(thrown)}`)),
    )
    expect(failures).toEqual(['log: Error: a bug of ours'])
    expect(work.deadLetters).toEqual([
      {
        projectId: 42,
        itemType: 'log',
        category: 'log_item',
        reason: 'a bug of ours',
        receivedAt: 1_700_000_000_000,
        origin: { itemHeader: { type: 'log' } },
        payload: Buffer.from('{}'),
      },
    ])
    expect(work.outcomes).toEqual([
      {
        projectId: 42,
        category: 'log_item',
        outcome: 'invalid',
        reason: 'internal',
        quantity: 1,
        at: 1_700_000_000_000,
      },
    ])
    expect(work.events).toHaveLength(1)
    expect(eventId).toBe(generatedId)
  })

  it('stores nothing of an item on which our code throws halfway, so that a retry stores it once', () => {
    const spans = itemOf('span', JSON.stringify({ items: [slowSpan('a', 2), slowSpan('b', 3)] }))
    const items = [{ ...spans, header: { type: 'span', item_count: 2 } }]
    const envelope = { header: { raw: {} }, items }
    const { work } = toEnvelopeWork(envelope, { ...contextWith(), problemPace: new FailingPace() })
    expect(work).toMatchObject({ events: [], traces: [], figures: [] })
    expect(work.deadLetters).toHaveLength(1)
    expect(work.outcomes).toMatchObject([
      { category: 'span', outcome: 'invalid', reason: 'internal', quantity: 2 },
    ])
    const retried = toEnvelopeWork(envelope, contextWith()).work
    expect(retried.traces).toHaveLength(2)
    expect(retried.events).toHaveLength(2)
  })

  it('counts every span of an item that becomes a dead letter since it takes too long', () => {
    const spans = itemOf('span', JSON.stringify({ items: Array.from({ length: 7 }, () => ({})) }))
    const items = [{ ...spans, header: { type: 'span', item_count: 7 } }]
    const task = new EnvelopeTask({ header: { raw: {} }, items }, contextWith())
    task.giveUp(new Error('it takes too long'))
    const { deadLetters, outcomes } = task.finish().work
    expect(deadLetters).toHaveLength(1)
    expect(outcomes).toMatchObject([
      { category: 'span', outcome: 'invalid', reason: 'internal', quantity: 7 },
    ])
  })

  it('stores a native crash and its minidump', () => {
    const minidump = { ...itemOf('attachment', 'MDMP'), header: { attachment_type: 'event.minidump' } }
    const { work, attachments } = entryOf(itemOf('event', '{"platform":"native"}'), minidump)
    expect(work.events).toMatchObject([{ title: 'Minidump', type: 'error', level: 'fatal' }])
    expect(new Map(work.events[0]?.tags).get('handled')).toBe('no')
    expect(attachments).toMatchObject([{ eventId: generatedId, kind: 'event.minidump' }])
  })

  it('stores the largest batch of spans that SDKs send, besides an event', () => {
    const spans = (count: number, characters: number): EnvelopeItem => {
      const items = Array.from({ length: count }, (_, at) => ({
        ...slowSpan('a', at + 1),
        name: 'x'.repeat(characters),
      }))
      const item = itemOf('span', JSON.stringify({ version: 2, items }))
      return { ...item, header: { type: 'span', item_count: count } }
    }
    const { work } = entryOf(spans(1_000, 2_200), itemOf('event', `{"message":"${'a'.repeat(900_000)}"}`))
    expect(work.outcomes).toEqual([])
    expect(work.traces).toMatchObject([{ category: 'span', quantity: 1_000 }])
    expect(work.events.some(({ type }) => type === 'default')).toBe(true)
    expect(entryOf(spans(1_000, 3_200)).work.outcomes).toMatchObject([
      { category: 'span', outcome: 'invalid', reason: 'too_large', quantity: 1_000 },
    ])
    for (const empty of ['{}', '[]']) {
      const item = itemOf('span', `{"items":[${`${empty},`.repeat(500_000)}{}]}`)
      expect(entryOf(item).work.outcomes).toMatchObject([{ category: 'span', reason: 'too_large' }])
    }
    const { outcomes } = entryOf(spans(6_000, 10)).work
    expect(new Set(outcomes.map(({ reason }) => reason))).toEqual(new Set(['too_many_spans']))
    expect(outcomes.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(4_000)
  })

  it('parses a bounded part of an envelope as JSON, and counts the unread part', () => {
    const report = itemOf(
      'client_report',
      '{"discarded_events":[{"reason":"ignored","category":"error","quantity":1}]}',
    )
    const sessions = Array.from({ length: 5 }, () => itemOf('session', `{"x":"${'x'.repeat(500_000)}"}`))

    const first = entryOf(
      itemOf('event', '{"message":"a"}'),
      ...sessions,
      itemOf('event', '{"broken'),
      report,
    )
    expect(first.work.events).toHaveLength(1)
    expect(first.isEventTooLarge).toBe(false)
    expect(first.work.outcomes.map(({ category, reason }) => `${category} ${reason}`)).toEqual([
      'session invalid_json',
      'session invalid_json',
      'session invalid_json',
      'session too_large',
      'session too_large',
      'error duplicate_item',
    ])

    const last = entryOf(...sessions, itemOf('event', '{"message":"a"}'))
    expect(last.work.events).toEqual([])
    expect(last.isEventTooLarge).toBe(true)
    expect(last.work.outcomes.at(-1)).toMatchObject({ category: 'error', reason: 'too_large', quantity: 1 })

    const reports = Array.from({ length: 120 }, (_, index) =>
      itemOf('user_report', `{"event_id":"${generatedId}","comments":"c${index}"}`),
    )
    const many = entryOf(...reports)
    expect(many.work.events).toHaveLength(100)
    expect(many.work.outcomes).toHaveLength(20)
  })

  it('stores the received bytes unchanged', () => {
    const payload = '{ "message" : "caf\u00e9",  "extra":{"a":1e0} }'
    const { work } = toEnvelopeWork(readEnvelope(`{}\n{"type":"event"}\n${payload}`), contextWith())
    expect(Buffer.from(work.events[0]?.payload ?? []).toString()).toBe(payload)
  })

  it('finds the event id in the payload when the envelope has none', () => {
    const inPayload = 'ABCDEF0123456789abcdef0123456789'
    const { work, eventId } = toEnvelopeWork(
      readEnvelope(`{}\n{"type":"event"}\n{"event_id":"${inPayload}"}`),
      contextWith(),
    )
    expect(eventId).toBe(inPayload.toLowerCase())
    expect(work.events[0]?.eventId).toBe(eventId)
  })

  it('answers a transaction with its id although it is not stored', () => {
    const { work, eventId } = toEnvelopeWork(
      readEnvelope(`{"event_id":"${'a'.repeat(32)}"}\n{"type":"transaction"}\n{}`),
      contextWith(),
    )
    expect(eventId).toBe('a'.repeat(32))
    expect(work.events).toEqual([])
  })

  it('stores a transaction with the id that it is answered with', () => {
    const trace = { trace_id: 'b'.repeat(32), span_id: 'c'.repeat(16) }
    const transaction = { start_timestamp: 1, timestamp: 2, contexts: { trace } }
    const ids = (header: object, payload: object) => {
      const item = JSON.stringify({ ...transaction, ...payload })
      const envelope = readEnvelope(`${JSON.stringify(header)}\n{"type":"transaction"}\n${item}`)
      const { work, eventId } = toEnvelopeWork(envelope, contextWith())
      return [eventId, work.traces?.[0]?.eventId]
    }
    const [inHeader, inPayload] = ['d'.repeat(32), 'e'.repeat(32)]
    expect(ids({ event_id: inHeader }, { event_id: inPayload })).toEqual([inHeader, inHeader])
    expect(ids({}, { event_id: inPayload })).toEqual([inPayload, inPayload])
    expect(ids({}, {})).toEqual([generatedId, generatedId])
  })

  it('makes no id for an envelope without an event', () => {
    expect(toEnvelopeWork(readEnvelope('{}\n{"type":"session"}\n{}'), contextWith()).eventId).toBeUndefined()
  })
})

describe('any envelope', () => {
  const types = [
    'event',
    'security',
    'raw_security',
    'feedback',
    'user_report_v2',
    'user_report',
    'transaction',
    'attachment',
    'session',
    'log',
    'quantum_flux',
  ]
  const payload = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom<unknown>(
      { message: 'a' },
      { type: 'transaction' },
      { 'csp-report': { 'effective-directive': 'img-src', 'blocked-uri': 'data' } },
      { contexts: { feedback: { message: 'a', associated_event_id: 'a'.repeat(32) } } },
      { event_id: 'b'.repeat(32), comments: 'a' },
      { exception: { type: 'Error', value: 'Script error.' } },
    ),
  )
  const item = fc.record({ type: fc.constantFrom(...types), payload })
  const header = fc.constantFrom({ raw: {} }, { raw: {}, eventId: 'c'.repeat(32) })

  it('has exactly one outcome for each of its items', () => {
    const failures: unknown[] = []
    fc.assert(
      fc.property(header, fc.array(item, { maxLength: 8 }), (envelopeHeader, list) => {
        const items = list.map(({ type, payload: value }) => {
          // A list of reports counts as one item per entry.
          const single = type === 'raw_security' && Array.isArray(value) ? null : value
          return { type, header: { type }, payload: Buffer.from(JSON.stringify(single)) }
        })
        const { work, attachments } = toEnvelopeWork(
          { header: envelopeHeader, items },
          contextWith((_type, thrown) => failures.push(thrown)),
        )
        const counted = work.outcomes.reduce((sum, { quantity }) => sum + quantity, 0)
        expect(work.events.length + attachments.length + counted).toBe(items.length)
      }),
    )
    expect(failures).toEqual([])
  })

  it('pauses between the spans of an item, and can be given up at each of them', () => {
    const at = 1_700_000_000
    const spans = Array.from({ length: 50 }, (_, index) => ({
      trace_id: 'a'.repeat(32),
      span_id: (index + 1).toString(16).padStart(16, '0'),
      start_timestamp: at - 1,
      end_timestamp: at,
    }))
    const sent = itemOf('span', JSON.stringify({ items: spans }))
    const start = () => new EnvelopeTask({ header: { raw: {} }, items: [sent] }, contextWith())
    const whole = start()
    let stepCount = 0
    for (; !whole.isDone; stepCount += 1) whole.run(() => false)
    expect(stepCount).toBeGreaterThan(spans.length)
    expect(whole.finish().work.traces).toMatchObject([{ spanCount: 50 }])
    // The last step comes after the item.
    for (let steps = 1; steps < stepCount - 1; steps += 1) {
      const given = start()
      for (let step = 0; step < steps; step += 1) given.run(() => false)
      given.giveUp(new Error('slow'))
      const { work } = given.finish()
      expect([work.traces ?? [], work.figures ?? [], work.deadLetters.length]).toEqual([[], [], 1])
    }
  })

  it('has exactly one outcome for each report of a list', () => {
    const report = fc.oneof(payload, fc.jsonValue())
    fc.assert(
      fc.property(fc.array(report, { minLength: 1, maxLength: 150 }), (reports) => {
        const bytes = Buffer.from(JSON.stringify(reports))
        const { work } = toEnvelopeWork(
          {
            header: { raw: {} },
            items: [{ type: 'raw_security', header: { type: 'raw_security' }, payload: bytes }],
          },
          contextWith(),
        )
        const counted = work.outcomes.reduce((sum, { quantity }) => sum + quantity, 0)
        expect(work.events.length + counted).toBe(reports.length)
      }),
    )
  })
})
