import { describe, expect, it } from 'vitest'
import { defaultUptimeSettings } from '#monitors/uptime.ts'
import { limits } from '#server/limits.ts'
import { recordMonitorChange, recordNewMonitor } from '#server/store/monitors/changes.ts'
import { listMonitors } from '#server/store/monitors/listed-monitors.ts'
import {
  checkInsSql,
  minutesToSlot,
  monitorClockStart as start,
  monitorIssuesSql,
  openMonitorClock,
} from '#test/monitor-clock.ts'
import { testId } from '#test/test-store.ts'
import { hourMs, minuteMs } from '#time/time-steps.ts'

const tickMs = limits.monitorGapMs

describe('the time while Culvert was down, the clock was set back or a monitor was paused', () => {
  it('makes slots unknown, not missed, and the next one counts again', async () => {
    const { send, run, read, setTime, at } = await openMonitorClock()
    await send(start)
    await run(start + 5 * minuteMs)
    setTime(at() + 27 * minuteMs)
    await run(start + 53 * minuteMs)
    expect(read(checkInsSql).map(({ status, slot_at }) => [status, minutesToSlot(slot_at)])).toEqual([
      ['ok', 0],
      ['unknown', 10],
      ['unknown', 20],
      ['unknown', 30],
      ['missed', 40],
      ['missed', 50],
    ])
  })

  it('makes the end of a run unknown, until its end arrives', async () => {
    const { send, run, read, setTime, at } = await openMonitorClock()
    const id = testId('run')
    await send(start, { status: 'in_progress', id })
    setTime(at() + 6 * minuteMs)
    await run(at() + minuteMs)
    expect(read(checkInsSql)).toMatchObject([{ status: 'unknown' }])
    await send(at() + minuteMs, { id })
    expect(read(checkInsSql)).toMatchObject([{ status: 'ok' }])
    expect(read(monitorIssuesSql)).toEqual([])
  })

  it('needs a bounded number of rows', async () => {
    const { send, run, read, setTime, at } = await openMonitorClock()
    await send(start)
    setTime(at() + 90 * 24 * hourMs)
    await run(at() + minuteMs)
    expect(read(checkInsSql).length).toBeLessThan(130)
    await run(at() + 25 * minuteMs)
    expect(read(checkInsSql).at(-1)).toMatchObject({ status: 'missed' })
  })

  it('ends every slot once, over outages and jumps of the clock in both directions', async () => {
    const { send, run, read, setTime, at, replaceClock } = await openMonitorClock()
    await send(start)
    for (const step of [40, -25, 35, -7, 20]) {
      await run(at() + 23 * minuteMs)
      await send(at() + minuteMs)
      setTime(at() + step * minuteMs)
      await replaceClock()
    }
    await run(at() + 60 * minuteMs)
    const slots = read(
      'SELECT slot_at FROM monitor_check_ins WHERE slot_at IS NOT NULL ORDER BY slot_at',
    ).map(({ slot_at }) => Number(slot_at))
    const last = slots.at(-1) ?? 0
    const expected = Array.from(
      { length: (last - start) / (10 * minuteMs) + 1 },
      (_, index) => start + index * 10 * minuteMs,
    )
    expect(slots).toEqual(expected)
    expect(at() - last).toBeLessThanOrEqual(12 * minuteMs)
  })

  it('restarts after a clock that was wrong by years', async () => {
    const { send, run, read, setTime } = await openMonitorClock()
    await send(start)
    setTime(start + 5 * 365 * 24 * hourMs)
    await run(start + 5 * 365 * 24 * hourMs + minuteMs)
    setTime(start + 20 * minuteMs)
    await run(start + 33 * minuteMs)
    expect(
      read(checkInsSql)
        .filter(({ status }) => status === 'missed')
        .map(({ slot_at }) => minutesToSlot(slot_at)),
    ).toEqual([30])
  })

  it('measures no negative duration of a run during which the clock was set back', async () => {
    const { send, read, setTime, at } = await openMonitorClock()
    await send(start, { status: 'in_progress', id: testId('run') })
    setTime(start - 30_000)
    await send(at(), { id: testId('run') })
    expect(read('SELECT duration_ms FROM monitor_check_ins')).toEqual([{ duration_ms: 0 }])
  })

  it('counts a run once that ends after the clock was set back', async () => {
    const { send, run, read, setTime, at } = await openMonitorClock()
    await send(start, { status: 'in_progress', id: testId('run') })
    setTime(start - 3 * hourMs)
    await run(at() + minuteMs)
    await send(at(), { id: testId('run') })
    expect(read('SELECT status FROM monitor_check_ins')).toEqual([{ status: 'ok' }])
    expect(
      read('SELECT status, quantity FROM monitor_counts WHERE step_ms = 86400000 AND quantity <> 0'),
    ).toEqual([{ status: 'ok', quantity: 1 }])
  })

  it('has no failed run because the slots of uptime monitors restarted', async () => {
    const { send, run, read, store, setTime, at } = await openMonitorClock()
    const target = { kind: 'tcp', host: '127.0.0.1', port: 1 } as const
    const checked = { kind: 'uptime', target, environment: 'production' } as const
    const settings = { ...defaultUptimeSettings, ...checked, failureThreshold: 100 }
    await recordNewMonitor(store, { projectId: 1, slug: 'site', name: 'site', settings }, at())
    await send(start, { status: 'in_progress', id: testId('run') })
    await run(start + 3 * tickMs)
    setTime(start + tickMs)
    await send(at(), { id: testId('run') })
    await run(start + 8 * minuteMs)
    expect(read('SELECT status FROM monitor_check_ins WHERE seen IS NULL')).toEqual([{ status: 'ok' }])
    expect(read(monitorIssuesSql)).toEqual([])
  })

  it('has no failed run whose end was not accepted during a pause', async () => {
    const { send, run, read, store, at } = await openMonitorClock()
    await send(start, { status: 'in_progress', id: testId('run') })
    const { monitors } = await listMonitors(store.db, { projectIds: [1], limit: 1, offset: 0 })
    const [monitor] = monitors
    const reference = { projectId: 1, monitorId: monitor?.id ?? '' }
    await recordMonitorChange(store, reference, { change: { isPaused: true }, now: at() })
    await run(start + hourMs)
    expect(read("SELECT 1 FROM monitor_environments WHERE state LIKE '%in_progress%'")).toEqual([])
    await recordMonitorChange(store, reference, { change: { isPaused: false }, now: at() })
    await run(at() + 5 * minuteMs)
    expect(read('SELECT status FROM monitor_check_ins')).toEqual([{ status: 'unknown' }])
    expect(read(monitorIssuesSql)).toEqual([])
  })
})
