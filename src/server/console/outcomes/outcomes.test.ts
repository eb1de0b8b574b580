import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import type { FilterSample, OutcomeCount } from '#server/store/ingest/records.ts'
import { openTestStore, testNow, testViewer } from '#test/test-store.ts'
import { dayMs, dayOf, hourMs, hourOf } from '#time/time-steps.ts'
import { outcomeSearch } from './outcomes.search.ts'
import { getOutcomeView } from './outcomes.ts'

async function openOutcomes() {
  const statements: string[] = []
  const store = await openTestStore({ onStatement: (sql) => statements.push(sql) })
  const committer = createCommitter(store)
  return {
    statements,
    count: (outcomes: OutcomeCount[], samples: FilterSample[] = []) =>
      committer.commit({ events: [], deadLetters: [], outcomes, samples }),
    view: (search: Parameters<typeof getOutcomeView>[2] = {}) =>
      getOutcomeView({ store, clock: () => testNow }, testViewer, search),
  }
}

function counted(fields: Partial<OutcomeCount> = {}): OutcomeCount {
  return {
    projectId: 1,
    category: 'error',
    outcome: 'accepted',
    reason: '',
    quantity: 1,
    at: testNow,
    ...fields,
  }
}

function sample(fields: Partial<FilterSample> = {}): FilterSample {
  return {
    projectId: 1,
    reason: 'redirect-error',
    category: 'error',
    receivedAt: testNow,
    title: 'Error: NEXT_REDIRECT',
    environment: 'production',
    payload: Buffer.from('{"message":"x"}'),
    ...fields,
  }
}

describe('the outcomes', () => {
  it('are read with three statements for any number of rows', async () => {
    const { count, statements, view } = await openOutcomes()
    await count([counted(), counted({ projectId: 2 })], [sample(), sample({ projectId: 2 })])
    for (const search of [{}, { project: 'web' }, { project: 'web', period: '30d' as const }]) {
      statements.length = 0
      await view(search)
      expect(statements).toHaveLength(3)
    }
  })

  it('are empty series, totals and samples when nothing was received', async () => {
    const { view } = await openOutcomes()
    expect(await view()).toMatchObject({ period: '24h', series: [], totals: [], samples: [] })
  })

  it('separate unsupported items from invalid ones', async () => {
    const { count, view } = await openOutcomes()
    const unsupported = { category: 'span', outcome: 'invalid', reason: 'feature_disabled' } as const
    await count([
      counted({ ...unsupported, quantity: 7 }),
      counted({ outcome: 'invalid', reason: 'invalid_json' }),
      counted({ outcome: 'undelivered', reason: 'upstream_full' }),
    ])
    const { series, totals } = await view()
    expect(series.map(({ outcome }) => outcome)).toEqual(['invalid', 'undelivered', 'unsupported'])
    expect(totals.at(-1)).toEqual({ ...unsupported, outcome: 'unsupported', quantity: 7 })
  })

  it('are charted without items that SDKs discarded and Culvert does not store', async () => {
    const { count, view } = await openOutcomes()
    const discarded = { outcome: 'client_discard', reason: 'no_parent_span' } as const
    await count([
      counted({ quantity: 3 }),
      counted({ ...discarded, category: 'span', quantity: 2000 }),
      counted({ ...discarded, category: 'log_item', quantity: 1000 }),
      counted({ ...discarded, reason: 'before_send', quantity: 4 }),
    ])
    const { series, totals, unchartedDiscardCount } = await view()
    expect(series.map(({ outcome, counts }) => [outcome, Math.max(...counts)])).toEqual([
      ['accepted', 3],
      ['client_discard', 4],
    ])
    expect(unchartedDiscardCount).toBe(3000)
    expect(totals.map(({ quantity }) => quantity)).toEqual([3, 2000, 1000, 4])
  })

  it('are counted in the step of their time, the current step last', async () => {
    const { count, view } = await openOutcomes()
    await count([
      counted({ quantity: 3 }),
      counted({ at: testNow - 23 * hourMs, quantity: 5 }),
      counted({ at: testNow - dayMs, quantity: 100 }),
    ])
    const { series, since, stepMs } = await view()
    expect(series).toEqual([{ outcome: 'accepted', counts: [5, ...Array.from({ length: 22 }, () => 0), 3] }])
    expect([since, stepMs]).toEqual([hourOf(testNow) - 23 * hourMs, hourMs])
    const week = await view({ period: '7d' })
    expect(week.series[0]?.counts).toHaveLength(28)
    expect(week.series[0]?.counts.reduce((sum, each) => sum + each, 0)).toBe(108)
    const month = await view({ period: '30d' })
    expect(month.series[0]?.counts.slice(-2)).toEqual([105, 3])
  })

  it('begin with the whole first day of thirty', async () => {
    const { count, view } = await openOutcomes()
    const today = dayOf(testNow)
    await count([counted({ at: today - 29 * dayMs }), counted({ at: today - 29 * dayMs - 1, quantity: 100 })])
    const { series, totals } = await view({ period: '30d' })
    expect(series[0]?.counts[0]).toBe(1)
    expect(totals.map(({ quantity }) => quantity)).toEqual([1])
  })

  it('are of one project, or of all together', async () => {
    const { count, view } = await openOutcomes()
    await count([counted({ quantity: 2 }), counted({ projectId: 2, quantity: 5 })])
    expect((await view()).totals).toMatchObject([{ quantity: 7 }])
    expect((await view({ project: 'api' })).totals).toMatchObject([{ quantity: 5 }])
    expect((await view({ project: 'nobody' })).totals).toEqual([])
  })

  it('are listed by outcome, reason and category, largest first, without byte categories', async () => {
    const { count, view } = await openOutcomes()
    await count([
      counted({ outcome: 'client_discard', reason: 'queue_overflow', category: 'log_item', quantity: 2 }),
      counted({ outcome: 'client_discard', reason: 'queue_overflow', category: 'log_byte', quantity: 9_000 }),
      counted({ outcome: 'filtered', reason: 'web-crawlers' }),
      counted({ outcome: 'filtered', reason: 'redirect-error', quantity: 4 }),
      counted({ quantity: 3 }),
    ])
    const { totals } = await view()
    expect(totals.map(({ outcome, reason, category }) => `${outcome} ${reason} ${category}`)).toEqual([
      'accepted  error',
      'filtered redirect-error error',
      'filtered web-crawlers error',
      'client_discard queue_overflow log_item',
    ])
  })
})

const longPayload = (characters: number) => Buffer.from(JSON.stringify({ text: 'x'.repeat(characters) }))

describe('the samples', () => {
  it('are newest of each reason, of the period', async () => {
    const { count, view } = await openOutcomes()
    const ofDays = Array.from({ length: 40 }, (_, index) =>
      sample({ receivedAt: testNow - index * dayMs, title: `day ${index}` }),
    )
    await count([], ofDays.toReversed())
    await count([], [sample({ reason: 'web-crawlers', projectId: 2, release: 'r1' })])
    const month = await view({ period: '30d' })
    expect(month.samples.map(({ title, reason }) => `${reason} ${title}`).toSorted()).toEqual([
      'redirect-error day 0',
      'redirect-error day 1',
      'redirect-error day 2',
      'web-crawlers Error: NEXT_REDIRECT',
    ])
    expect((await view({ project: 'api' })).samples).toMatchObject([
      { project: { slug: 'api' }, release: 'r1', environment: 'production', category: 'error' },
    ])
  })

  it('show their payload in lines', async () => {
    const { count, view } = await openOutcomes()
    await count([], [sample()])
    const { samples } = await view()
    expect(samples).toMatchObject([{ payloadText: '{\n  "message": "x"\n}', isPayloadCut: false }])
  })

  it('report a payload that was too large to be stored, or that is truncated', async () => {
    const { count, view } = await openOutcomes()
    await count([], [sample({ payload: longPayload(limits.filterSampleBytes) })])
    await count([], [sample({ reason: 'web-crawlers', payload: longPayload(limits.filterSampleCharacters) })])
    const { samples } = await view()
    const large = samples.find(({ reason }) => reason === 'redirect-error')
    expect(large?.payloadText).toBeUndefined()
    expect(large?.payloadBytes).toBe(limits.filterSampleBytes + '{"text":""}'.length)
    const long = samples.find(({ reason }) => reason === 'web-crawlers')
    expect(long?.isPayloadCut).toBe(true)
    expect(long?.payloadText).toHaveLength(limits.filterSampleCharacters)
  })

  it('survive a payload that nests as deep as its size allows', async () => {
    const { count, view } = await openOutcomes()
    const depth = limits.filterSampleBytes / 8
    await count([], [sample({ payload: Buffer.from(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`) })])
    expect((await view()).samples).toMatchObject([{ isPayloadCut: true }])
  })
})

describe('the search of the outcomes screen', () => {
  it('keeps valid parameters and ignores all others', () => {
    expect(v.parse(outcomeSearch, { project: 'web', period: '7d' })).toEqual({ project: 'web', period: '7d' })
    expect(v.parse(outcomeSearch, { project: 42, period: '1y', other: 1 })).toEqual({ project: '42' })
    expect(v.parse(outcomeSearch, { project: ['a'], period: {} })).toEqual({})
  })
})
