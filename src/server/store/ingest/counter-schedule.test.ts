import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { limits } from '#server/limits.ts'
import { hourMs } from '#time/time-steps.ts'
import { createCounterSchedule } from './counter-schedule.ts'

const most = limits.countersAtOncePerSecond

function makeSchedule() {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const time = { now: 1_763_769_600_000 }
  const schedule = createCounterSchedule({ clock: () => time.now, waitingEvents: 0, onDue: () => {} })
  return { time, schedule }
}

describe('the time at which events are counted', () => {
  it('is immediate up to the limit of each second', () => {
    const { time, schedule } = makeSchedule()
    for (let second = 0; second < 3; second += 1) {
      expect(schedule.canCountNow(most - 1)).toBe(true)
      expect(schedule.canCountNow(1)).toBe(true)
      time.now += 1_000
    }
  })

  it('is deferred for all of a flood except its start, until a second has few events', () => {
    const { time, schedule } = makeSchedule()
    expect(schedule.canCountNow(most)).toBe(true)
    expect(schedule.canCountNow(1)).toBe(false)
    time.now += 1_000
    expect(schedule.canCountNow(1)).toBe(false)
    expect(schedule.canCountNow(most)).toBe(false)
    time.now += 1_000
    expect(schedule.canCountNow(1)).toBe(false)
    time.now += 1_000
    expect(schedule.canCountNow(1)).toBe(true)
  })

  it('is immediate again some time after a flood, or after the clock was set back', () => {
    const { time, schedule } = makeSchedule()
    expect(schedule.canCountNow(most + 1)).toBe(false)
    time.now += 2_000
    expect(schedule.canCountNow(1)).toBe(true)
    expect(schedule.canCountNow(most)).toBe(false)
    time.now -= hourMs
    expect(schedule.canCountNow(1)).toBe(true)
  })
})

it('folding stops when no part of the issues has deltas any more', () => {
  const { schedule } = makeSchedule()
  schedule.expectFold()
  for (let fold = 0; fold <= limits.counterFoldSlices; fold += 1) {
    expect(vi.getTimerCount()).toBe(1)
    vi.runOnlyPendingTimers()
    schedule.folded(fold > 0)
  }
  expect(vi.getTimerCount()).toBe(0)
})
