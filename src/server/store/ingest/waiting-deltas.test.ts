import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countEvents, type CountedEvent } from '#server/store/issues/counters.ts'
import { formatCounterDelta, type IssueIncrement } from './counter-delta.ts'
import type { IssueAdvance } from './issue-batch-counts.ts'
import { WaitingDeltas } from './waiting-deltas.ts'

const hour = 1_763_769_600_000

const latest = {
  occurredAt: hour,
  eventId: 'ab'.repeat(16),
  type: 'error',
  title: '',
  subtitle: '',
  culprit: '',
  level: 'error',
  platform: 'node',
}

const advance: IssueAdvance = { eventCount: 1, latest }

const event: fc.Arbitrary<CountedEvent> = fc.record({
  occurredAt: fc.integer({ min: hour, max: hour + 7_200_000 }),
  environment: fc.constantFrom('production', 'staging'),
  userHash: fc.option(fc.nat({ max: 3 }), { nil: undefined }),
  tags: fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.string({ maxLength: 1 })), { maxLength: 6 }),
})

const delta = fc.record({
  projectId: fc.integer({ min: 1, max: 2 }),
  issueId: fc.integer({ min: -2, max: 2 }),
  counted: fc.array(event, { maxLength: 6 }),
})

type Delta = typeof delta extends fc.Arbitrary<infer Value> ? Value : never

function waitingOf(deltas: readonly Delta[]): WaitingDeltas {
  const waiting = new WaitingDeltas()
  for (const [id, { projectId, issueId, counted }] of deltas.entries())
    waiting.add({ projectId, id, data: formatCounterDelta([{ issue: { issueId }, counted, advance }]) })
  return waiting
}

function addTo(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count)
}

function addIncrement(counts: Map<string, number>, key: string, increment: IssueIncrement): void {
  const { hours, tags } = increment
  for (const ofEnvironment of hours.values())
    for (const count of ofEnvironment.values()) addTo(counts, key, count)
  for (const [tag, values] of tags)
    for (const [value, { eventCount }] of values) addTo(counts, `${key} ${tag} ${value}`, eventCount)
  addTo(counts, `${key} advance`, increment.advance?.eventCount ?? 0)
}

/** Takes rows until none are left; the rest of each turn is added to the waiting deltas again. */
function takeAll(waiting: WaitingDeltas, rowCount: number) {
  const counts = new Map<string, number>()
  let rest = waiting
  let turns = 0
  do {
    for (const [projectId, issues] of rest.take(rowCount))
      for (const [issueId, increment] of issues) addIncrement(counts, `${projectId} ${issueId}`, increment)
    turns += 1
    const left = rest.listLeft()
    rest = new WaitingDeltas()
    for (const each of left) rest.add(each)
    expect(turns).toBeLessThan(200)
  } while (rest.listLeft().length > 0)
  return { counts, turns }
}

describe('deltas that are counted in several turns', () => {
  it('are counted once each, with any number of rows at a time', () => {
    fc.assert(
      fc.property(fc.array(delta, { maxLength: 8 }), fc.integer({ min: 1, max: 30 }), (deltas, rowCount) => {
        const atOnce = takeAll(waitingOf(deltas), Number.POSITIVE_INFINITY)
        expect(atOnce.turns).toBe(1)
        expect(takeAll(waitingOf(deltas), rowCount).counts).toEqual(atOnce.counts)
      }),
    )
  })

  it('keep the id of the oldest, which contains their age', () => {
    const tags = [['color', 'red']] as const
    const counted = [{ occurredAt: hour, environment: 'production', userHash: undefined, tags }]
    const waiting = waitingOf([1, 2, 3].map((issueId) => ({ projectId: 7, issueId, counted: [...counted] })))
    const [taken] = waiting.take(1).values()
    expect([...(taken?.keys() ?? [])]).toEqual([1])
    expect(waiting.isEmpty()).toBe(false)
    expect(waiting.listLeft()).toMatchObject([{ projectId: 7, id: 0, eventCount: 2 }])
  })

  it('of one issue with many values of tags are counted event by event', () => {
    const counted = Array.from({ length: 5 }, (_, index) => ({
      occurredAt: hour,
      environment: 'production',
      userHash: undefined,
      tags: Array.from({ length: 50 }, (__, at) => ['key', `${index}-${at}`] as const),
    }))
    const waiting = waitingOf([{ projectId: 1, issueId: 1, counted }])
    const sizes = [1, 2, 3].map(() => waiting.take(100).get(1)?.get(1)?.tags.get('key')?.size)
    expect(sizes).toEqual([100, 100, 50])
    expect(waiting.isEmpty()).toBe(true)
    expect(countEvents(counted).tags.get('key')?.size).toBe(250)
  })
})
