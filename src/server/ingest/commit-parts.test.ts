import { expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { makeSegment, makeTraceRecord } from '#test/trace-store.ts'
import { toCommitParts } from './commit-parts.ts'

const segment = makeSegment('GET /orders')
const trace = makeTraceRecord(segment)
const workOf = (traceCount: number) => ({
  events: [],
  outcomes: [],
  deadLetters: [],
  traces: Array.from({ length: traceCount }, () => trace),
  figures: [],
})

it('commits the traces of a large request in parts, and then everything that is counted once', () => {
  const work = workOf(limits.eventsPerCommit + 1)
  const parts = toCommitParts(work)
  expect(parts.map(({ traces }) => traces?.length)).toEqual([limits.eventsPerCommit, 1, 0])
  expect(parts.map(({ figures }) => figures)).toEqual([undefined, undefined, work.figures])
})

it('commits large segments in parts, each with at least one', () => {
  const sizes = [0.5, 0.5, 0.5, 2, 0.5]
  const traces = sizes.map((size) =>
    makeTraceRecord(segment, { payload: new Uint8Array(size * limits.commitPartBytes) }),
  )
  const parts = toCommitParts({ ...workOf(0), traces })
  expect(parts.map((part) => part.traces)).toEqual([
    traces.slice(0, 2),
    traces.slice(2, 3),
    traces.slice(3, 4),
    traces.slice(4),
    [],
  ])
})

it('commits other requests as a whole', () => {
  const work = workOf(limits.eventsPerCommit)
  expect(toCommitParts(work)).toEqual([work])
})
