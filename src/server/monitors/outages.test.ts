import { expect, it } from 'vitest'
import type { MonitorSchedule } from '#monitors/schedule.ts'
import { createLog } from '#server/log.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import {
  everyTenMinutes,
  monitorClockStart,
  monitorIssuesSql,
  openMonitorClock,
} from '#test/monitor-clock.ts'
import { entryOf, openTestStore, testNow } from '#test/test-store.ts'
import { dayMs, hourMs, minuteMs } from '#time/time-steps.ts'
import { createMonitorClock } from './monitor-clock.ts'

const log = createLog('silent')
const monitorCount = 100

it.each([
  ['* * * * *', 3 * hourMs],
  ['0 * * * *', 4 * dayMs],
])('a hundred monitors with the crontab %s continue after an outage', async (crontab, outageMs) => {
  let now = testNow
  const store = await openTestStore({ clock: () => now })
  const clock = createMonitorClock({
    store,
    log,
    isServerless: false,
    ingest: () => Promise.resolve(),
    uptime: { privateDestinations: { networks: [], hosts: [] } },
  })
  const settings = {
    schedule: { kind: 'crontab', crontab, timeZone: 'UTC' },
    marginMinutes: 1,
    maxRuntimeMinutes: 5,
    failureThreshold: 1,
    recoveryThreshold: 1,
  } as const
  const config = { ok: true, settings } as const
  const checkIns = Array.from({ length: monitorCount }, (_, index) => ({
    projectId: 1,
    receivedAt: now,
    checkIn: { slug: `job-${index}`, environment: 'production', status: 'ok', config } as const,
  }))
  await createCommitter(store, log).commit({ ...entryOf(), checkIns })
  expect(await clock.check()).toBe('done')
  now += outageMs
  expect(await clock.check()).toBe('done')
  const read = (sql: string) => Number(store.connection.prepare(sql).get()?.['n'])
  expect(read('SELECT count(*) AS n FROM monitor_check_ins')).toBeGreaterThan(60 * monitorCount)
  expect(read('SELECT sum(quantity) AS n FROM monitor_counts WHERE step_ms = 86400000')).toBe(
    read('SELECT count(*) AS n FROM monitor_check_ins'),
  )
})

it.each<MonitorSchedule>([
  { kind: 'crontab', crontab: '* * * * *', timeZone: 'UTC' },
  { kind: 'interval', value: 1, unit: 'minute' },
])('a step of a serverless host records 60 missed runs at most, with the schedule %j', async (schedule) => {
  const settings = { ...everyTenMinutes, schedule, marginMinutes: 1 }
  const { send, setTime, createClock, read } = await openMonitorClock(settings, true)
  const countMissed = () => read(`SELECT id FROM monitor_check_ins WHERE status = 'missed'`).length
  await send(monitorClockStart)
  const weekLater = monitorClockStart + 7 * dayMs
  setTime(weekLater)
  expect(await createClock().check()).toBe('done')
  expect(countMissed()).toBe(60)
  expect(read(monitorIssuesSql)).toMatchObject([{ status: 'unresolved', event_count: 60 }])
  setTime(weekLater + 3 * minuteMs)
  expect(await createClock().check()).toBe('done')
  expect(countMissed()).toBe(62)
  await send(weekLater + 3 * minuteMs)
  expect(read(monitorIssuesSql)).toMatchObject([{ status: 'resolved' }])
})
