import { expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { figureNameId } from '#server/store/figures/name-id.ts'
import type { TraceRecord } from '#server/store/ingest/records.ts'
import { openKeptStore } from '#test/kept-store.ts'
import { testId, testNow } from '#test/test-store.ts'
import { dayMs, hourMs, minuteMs } from '#time/time-steps.ts'
import type { Figure } from '#traces/figures.ts'
import { listRootSamples } from './samples.ts'

function recordOf(name: string, at: number, durationUs: number): TraceRecord {
  return {
    projectId: 1,
    category: 'transaction',
    quantity: 1,
    traceId: testId(`${name} ${at} ${durationUs}`),
    spanId: 'a'.repeat(16),
    isRoot: true,
    startedAt: at,
    durationUs,
    spanCount: 1,
    op: 'task',
    name,
    isError: durationUs === 2,
    environment: '',
    receivedAt: at,
    payload: Buffer.from('{}'),
  }
}

function figureOf(name: string, value: number): Figure {
  const counts = { count: 1, weight: 1, failureCount: 0, goodCount: 0, sum: value, values: [value] }
  return { kind: 'transaction', name, op: 'task', facet: '', ...counts }
}

it('samples of a rare transaction are found among the segments of the minutes and hours in which it ran', async () => {
  const kept = await openKeptStore()
  /** So many segments of a transaction that arrive at once. */
  const run = (name: string, at: number, count: number) => {
    kept.setNow(at)
    const traces = Array.from({ length: count }, (_, number) => recordOf(name, at, number + 1))
    const figures = traces.map(({ durationUs }) => ({
      projectId: 1,
      receivedAt: at,
      figures: [figureOf(name, durationUs)],
    }))
    return kept.commit({ events: [], outcomes: [], deadLetters: [], traces, figures })
  }
  await run('other', testNow - 3 * dayMs - 5 * minuteMs, 20)
  await run('rare', testNow - 3 * dayMs, 1)
  await run('other', testNow - 3 * dayMs + minuteMs, 20)
  await run('rare', testNow - 5 * hourMs, 2)
  await run('other', testNow - 4 * hourMs, 3_000)
  await run('other', testNow - 3 * hourMs, limits.sampledSegments)
  await run('common', testNow, 12)
  await kept.drain()
  const find = (name: string, from: number) => {
    const nameId = figureNameId({ kind: 'transaction', op: 'task', name })
    return listRootSamples(kept.store.db, { projectId: 1, nameId, name, op: 'task', from, to: testNow + 1 })
  }
  const ages = (samples: Awaited<ReturnType<typeof find>>) =>
    samples.map(({ startedAt }) => (testNow - startedAt) / hourMs)
  expect(ages(await find('rare', testNow - 7 * dayMs))).toEqual([5, 5, 72])
  const rare = await find('rare', testNow - dayMs)
  expect(ages(rare)).toEqual([5, 5])
  expect(rare.map(({ durationUs, isError }) => [durationUs, isError])).toEqual([
    [2, true],
    [1, false],
  ])
  expect(ages(await find('rare', testNow - hourMs))).toEqual([])
  expect(await find('common', testNow - dayMs)).toHaveLength(12)
  expect(await find('none', testNow - dayMs)).toEqual([])
})
