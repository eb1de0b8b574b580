import { expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { makeSegment, makeTraceRecord } from '#test/trace-store.ts'
import { toCommitParts } from './commit-parts.ts'

const trace = makeTraceRecord(makeSegment('GET /orders'))
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

it('commits other requests as a whole', () => {
  const work = workOf(limits.eventsPerCommit)
  expect(toCommitParts(work)).toEqual([work])
})
