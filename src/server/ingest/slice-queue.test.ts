import { setImmediate as nextTick } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Envelope, EnvelopeItem } from '#protocol/envelope.ts'
import { limits } from '#server/limits.ts'
import { defaultProjectSettings } from '#server/store/projects/settings.ts'
import type { WorkContext } from './envelope/envelope-state.ts'
import { compileProjectRules } from './project-rules.ts'
import { SliceQueue } from './slice-queue.ts'

const queue = new SliceQueue()
const notOverloaded = { isOverloaded: false }
const failures: string[] = []
const context: WorkContext = {
  projectId: 42,
  receivedAt: 1_700_000_000_000,
  rules: compileProjectRules(defaultProjectSettings),
  createEventId: () => 'f'.repeat(32),
  onFailure: (itemType, thrown) => failures.push(`${itemType}: ${String(thrown)}`),
}

function itemOf(type: string, payload = '{}'): EnvelopeItem {
  return { type, header: { type }, payload: Buffer.from(payload) }
}

const event = itemOf('event', '{"message":"a"}')

/** Runs `step` while an event without an id is processed, as a bug of ours would. */
const withStep = (step: () => void): WorkContext => ({
  ...context,
  createEventId: () => {
    step()
    return 'f'.repeat(32)
  },
})

function backtrack(): void {
  ;/^(a+)+$/.test(`${'a'.repeat(40)}b`)
}

function spinForEver(): never {
  for (;;);
}

const envelopeOf = (...items: EnvelopeItem[]): Envelope => ({ header: { raw: {} }, items })

function keepBusy(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

/** Items that each need a whole time slice. */
function slowItems(count: number): EnvelopeItem[] {
  return Array.from({ length: count }, () => ({
    ...itemOf('log'),
    get header() {
      keepBusy(30)
      return { type: 'log' }
    },
  }))
}

/** Blocks the thread without using CPU time. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

/** CPU time, because a busy machine makes any tick long. */
async function longestTickCpuMs(during: Promise<unknown>): Promise<number> {
  const state = { isOver: false, longestMs: 0 }
  void during.finally(() => (state.isOver = true))
  while (!state.isOver) {
    const before = process.threadCpuUsage()
    await nextTick()
    const { user, system } = process.threadCpuUsage(before)
    state.longestMs = Math.max(state.longestMs, (user + system) / 1000)
  }
  return state.longestMs
}

describe('the work on an envelope', () => {
  it('makes an item that never ends a dead letter, and counts the items after it', async () => {
    failures.length = 0
    const envelope = envelopeOf(itemOf('log'), event, itemOf('span'), itemOf('attachment'))
    let starts = 0
    const spin = (): never => {
      starts += 1
      return spinForEver()
    }
    const working = queue.process(envelope, withStep(spin), notOverloaded)
    const longestMs = await longestTickCpuMs(working)
    // Twice the last timeout, since the machine may be busy when the time is over; each stall doubles it.
    expect(longestMs).toBeLessThan(limits.workMs * 2 ** starts)
    expect(starts).toBeLessThanOrEqual(1 + limits.workStalls)
    const { work: done, attachments } = await working
    const reason = 'it takes longer than 200 ms to process'
    expect(failures).toEqual([`event: Error: ${reason}`])
    expect(done.events).toEqual([])
    expect(done.deadLetters).toMatchObject([{ itemType: 'event', payload: event.payload, reason }])
    expect(done.outcomes).toMatchObject([
      { category: 'log_item', reason: 'feature_disabled' },
      ...['error', 'span', 'attachment'].map((category) => ({
        category,
        outcome: 'invalid',
        reason: 'internal',
      })),
    ])
    expect(attachments).toEqual([])
  })

  it('terminates a regular expression that backtracks forever', async () => {
    const { work: done } = await queue.process(envelopeOf(event), withStep(backtrack), notOverloaded)
    expect(done.deadLetters).toHaveLength(1)
  })

  it('does not affect the other envelopes of the tick', async () => {
    const before = queue.process(envelopeOf(event), context, notOverloaded)
    const slow = queue.process(envelopeOf(event), withStep(spinForEver), notOverloaded)
    const after = queue.process(envelopeOf(event), context, notOverloaded)
    expect((await before).work.events).toHaveLength(1)
    expect((await after).work.events).toHaveLength(1)
    expect((await slow).work.deadLetters).toHaveLength(1)
  })

  it('pauses between two items to let other work run', async () => {
    const working = queue.process(envelopeOf(...slowItems(12)), context, notOverloaded)
    await nextTick()
    expect(queue.oldestWaitMs()).toBeGreaterThan(0)
    expect(await longestTickCpuMs(working)).toBeLessThan(300)
    expect((await working).work.deadLetters).toEqual([])
    expect(queue.oldestWaitMs()).toBe(0)
  })

  it('lets other work run after the first slice of the envelopes of one tick', async () => {
    const order: string[] = []
    const other = nextTick().then(() => order.push('other'))
    const slow = Array.from({ length: 6 }, async (_, at) => {
      await queue.process(envelopeOf(...slowItems(1)), context, notOverloaded)
      order.push(`envelope ${at}`)
    })
    await Promise.all([other, ...slow])
    expect(order[0]).toBe('other')
  })

  it('does not delay later envelopes if it has many items', async () => {
    const order: string[] = []
    const process = async (name: string, envelope: Envelope) => {
      await queue.process(envelope, context, notOverloaded)
      order.push(name)
    }
    const many = process('many', envelopeOf(...slowItems(6)))
    await nextTick()
    await Promise.all([many, process('some', envelopeOf(...slowItems(2))), process('one', envelopeOf(event))])
    expect(order).toEqual(['one', 'some', 'many'])
  })

  it('is retried a limited number of times when the machine was suspended', async () => {
    // Longer than a pause of a busy machine.
    const workMs = 1_000
    const patient = new SliceQueue({ workMs })
    let count = 0
    const once = withStep(() => {
      count += 1
      if (count === 1) standStill(workMs + 100)
    })
    const { work: done } = await patient.process(envelopeOf(event), once, notOverloaded)
    expect([count, done.events.length, done.deadLetters]).toEqual([2, 1, []])
    const impatient = new SliceQueue({ workMs: 20 })
    const always = withStep(() => standStill(60_000))
    const { work: given } = await impatient.process(envelopeOf(event), always, notOverloaded)
    expect(given.deadLetters).toHaveLength(1)
  })

  it('has twice the time with each retry, so that an event of a starved machine is stored', async () => {
    const starved = withStep(() => standStill(900))
    const impatient = new SliceQueue({ workMs: 100 })
    const others = [envelopeOf(event), envelopeOf(event)].map((each) =>
      impatient.process(
        each,
        withStep(() => undefined),
        notOverloaded,
      ),
    )
    const { work: done } = await impatient.process(envelopeOf(event), starved, notOverloaded)
    expect([done.events.length, done.deadLetters]).toEqual([1, []])
    for (const { work } of await Promise.all(others)) expect(work.events).toHaveLength(1)
  })

  it('is timed under overload too, unless the envelope is small', async () => {
    const large = itemOf('attachment', 'x'.repeat(limits.untimedBytes))
    const overloaded = { isOverloaded: true }
    const { work: done } = await queue.process(envelopeOf(large, event), withStep(spinForEver), overloaded)
    expect(done.deadLetters).toHaveLength(1)
    const brief = withStep(() => keepBusy(limits.workMs + 20))
    const small = await queue.process(envelopeOf(event), brief, overloaded)
    expect(small.work.deadLetters).toEqual([])
  })
})
