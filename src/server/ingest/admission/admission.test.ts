import { beforeEach, describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { createAdmission, type Admission } from './admission.ts'

/** A simulated event loop: time passes only when a test advances it. */
let time: { now: number; oldestWaitMs: number; tickEnds: (() => void)[]; logged: string[] }
let admission: Admission
beforeEach(() => {
  time = { now: 5_000, oldestWaitMs: 0, tickEnds: [], logged: [] }
  const write = (_facts: object, message: string) => void time.logged.push(message)
  admission = createAdmission({
    now: () => time.now,
    oldestWaitMs: () => time.oldestWaitMs,
    onTickEnd: (callback) => void time.tickEnds.push(callback),
    log: { warn: write, info: write },
  })
})

function endTick(): void {
  for (const callback of time.tickEnds.splice(0)) callback()
}

/** One tick in which `count` requests arrive that take `workMs` each if they are admitted. */
function runTick(count: number, workMs: number): number {
  let admitted = 0
  for (let request = 0; request < count; request += 1) {
    if (admission.admit()) {
      admitted += 1
      time.now += workMs
    } else {
      admission.reject({}, () => undefined)
    }
  }
  endTick()
  return admitted
}

/** The loop is idle, which happens only after all pending tick callbacks have run; or it does other work. */
function passWithoutRequests(ms: number): void {
  while (time.tickEnds.length > 0) endTick()
  time.now += ms
}

function overload(): void {
  for (let ticks = 0; ticks < 10 && !admission.isOverloaded; ticks += 1) runTick(limits.longWaitMs, 1)
}

describe('without overload', () => {
  it('every request is accepted', () => {
    for (let ticks = 0; ticks < 200; ticks += 1) expect(runTick(64, 0.4)).toBe(64)
    expect([admission.isOverloaded, time.logged]).toEqual([false, []])
  })

  it('a burst of any size is accepted completely', () => {
    expect(runTick(20_000, 0.4)).toBe(20_000)
    expect(runTick(5_000, 0.4)).toBe(5_000)
    expect(runTick(10, 0.4)).toBe(10)
    expect(admission.isOverloaded).toBe(false)
  })

  it('neither idle time nor other work between infrequent requests counts', () => {
    for (let ticks = 0; ticks < 10; ticks += 1) {
      passWithoutRequests(10_000)
      runTick(1, 1)
    }
    expect([admission.isOverloaded, time.logged]).toEqual([false, []])
  })

  it('a tick without requests is the last one that is measured', () => {
    runTick(1, 1)
    endTick()
    expect(time.tickEnds).toEqual([])
  })

  it('long ticks count only when they are consecutive', () => {
    for (let ticks = 0; ticks < 20; ticks += 1) {
      runTick(1, limits.longWaitMs * 3)
      runTick(1, limits.longWaitMs * 3)
      runTick(1, 1)
    }
    expect(admission.isOverloaded).toBe(false)
  })

  it('a rejection for another reason is sent immediately', () => {
    const client = {}
    let sentCount = 0
    for (let request = 0; request < 3; request += 1) admission.reject(client, () => sentCount++)
    expect(sentCount).toBe(3)
  })
})

describe('work that waits for its commit', () => {
  it('causes an overload even with short ticks', () => {
    time.oldestWaitMs = limits.longWaitMs
    for (let ticks = 0; ticks < 10; ticks += 1) runTick(100, 2)
    expect(admission.isOverloaded).toBe(true)
  })
})

/**
 * One tick in which requests with traces arrive that take `traceMs` each if they are stored, and then errors
 * that take 1 ms. Without `areKnown` the server reads a request before it knows that it has only traces.
 */
function mixedTick(sent: { traces: number; errors: number; traceMs: number; areKnown: boolean }) {
  const accepted = { traces: 0, errors: 0 }
  for (let request = 0; request < sent.traces; request += 1) {
    const isAdmitted = sent.areKnown
      ? admission.admitTraces() && admission.admit()
      : admission.admit() && admission.admitTraces()
    if (isAdmitted) accepted.traces += 1
    time.now += isAdmitted ? sent.traceMs : 0.1
  }
  for (let request = 0; request < sent.errors; request += 1) {
    if (!admission.admit()) continue
    admission.noteOthers()
    accepted.errors += 1
    time.now += 1
  }
  endTick()
  return accepted
}

/** Sums of 200 ticks. */
function mixedTicks(sent: Parameters<typeof mixedTick>[0]) {
  const ticks = Array.from({ length: 200 }, () => mixedTick(sent))
  const sum = (kind: 'traces' | 'errors') => ticks.reduce((total, tick) => total + tick[kind], 0)
  return { traces: sum('traces'), errors: sum('errors') }
}

describe('traces under overload', () => {
  beforeEach(() => {
    overload()
    passWithoutRequests(1)
  })

  it.each([true, false])(
    'are stored within the budget of each tick if only traces arrive (%s)',
    (areKnown) => {
      const { traces } = mixedTicks({ traces: 100, errors: 0, traceMs: 5, areKnown })
      expect(traces).toBeGreaterThan(200 * 3)
    },
  )

  it('are dropped if errors are rejected otherwise', () => {
    const { traces, errors } = mixedTicks({ traces: 10, errors: 100, traceMs: 5, areKnown: true })
    expect(errors).toBeGreaterThan(200 * (limits.admittedPerTick.leastMs - 2))
    expect(traces).toBeLessThan(200 * 0.1)
  })

  it('use the capacity that errors leave', () => {
    const { traces, errors } = mixedTicks({ traces: 20, errors: 8, traceMs: 4, areKnown: true })
    expect(errors).toBeGreaterThan(200 * 8 * 0.9)
    expect(traces).toBeGreaterThan(200 * 0.7)
  })
})

describe('under overload', () => {
  beforeEach(overload)

  it('each tick admits requests within its budget, and rejects the rest', () => {
    runTick(1, 1)
    for (let ticks = 0; ticks < 5; ticks += 1)
      expect(runTick(1_000, 0.5)).toBe(limits.admittedPerTick.leastMs / 0.5)
  })

  it('each tick admits at least one request, however expensive', () => {
    for (let ticks = 0; ticks < 5; ticks += 1) expect(runTick(10, 5_000)).toBe(1)
  })

  it('a longer tick admits its share of it', () => {
    time.now += 900
    runTick(1, 0)
    expect(runTick(10_000, 0.5)).toBe((900 * limits.admittedPerTick.share) / 0.5)
  })

  it('a client is rejected immediately; one that ignores Retry-After is rejected at the end of the tick', () => {
    const client = {}
    let sentCount = 0
    admission.reject(client, () => sentCount++)
    expect(sentCount).toBe(1)
    admission.reject(client, () => sentCount++)
    expect(sentCount).toBe(1)
    endTick()
    expect(sentCount).toBe(2)
    time.now += limits.overloadRetryAfterSeconds * 1_000
    admission.reject(client, () => sentCount++)
    expect(sentCount).toBe(3)
  })

  it('rejections of clients that ignore Retry-After are sent in order, within the share of each tick, until all are sent', () => {
    runTick(1, 1)
    const sent: number[] = []
    const client = {}
    admission.reject(client, () => undefined)
    for (let number = 0; number < 10; number += 1) {
      admission.reject(client, () => {
        sent.push(number)
        time.now += 1
      })
    }
    expect(sent).toEqual([])
    endTick()
    expect(sent).toHaveLength(limits.rejectionsPerTick.leastMs)
    while (time.tickEnds.length > 0) endTick()
    expect(sent).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  it('ends after a period without rejections, and is logged at its start and end only', () => {
    for (let ticks = 0; ticks < 50; ticks += 1) runTick(100, 1)
    expect(admission.isOverloaded).toBe(true)
    passWithoutRequests(limits.overloadCalmMs)
    runTick(1, 1)
    expect(admission.isOverloaded).toBe(false)
    expect(runTick(100, 1)).toBe(100)
    expect(time.logged).toEqual(['overloaded: requests beyond capacity are rejected', 'no longer overloaded'])
  })

  it('does not end while there are more requests than capacity', () => {
    for (let ticks = 0; ticks < 200; ticks += 1) runTick(100, 1)
    expect(admission.isOverloaded).toBe(true)
  })
})
