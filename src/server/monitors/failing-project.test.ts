import { expect, it } from 'vitest'
import { createMonitorClock } from '#server/monitors/monitor-clock.ts'
import { createErrorLog } from '#test/error-log.ts'
import { everyTenMinutes, monitorClockStart as start, openMonitorStore } from '#test/monitor-clock.ts'
import { entryOf } from '#test/test-store.ts'
import { minuteMs } from '#time/time-steps.ts'

/** Monitors of the projects 1 and 2; writes of project 1 to a table fail after `breakTable`. */
async function openTwo() {
  const { store, committer, ingest, at, setTime } = await openMonitorStore()
  const { log, errors } = createErrorLog()
  let failsToIngest = false
  const clock = createMonitorClock({
    store,
    log,
    isServerless: true,
    ingest: async (envelope) => {
      if (failsToIngest && envelope.projectId === 1) throw new Error('a bug of the ingest')
      await ingest(envelope)
    },
    uptime: { privateDestinations: { networks: [], hosts: [] } },
  })
  const config = { ok: true, settings: everyTenMinutes } as const
  return {
    clock,
    errors,
    setTime,
    send: async (status: 'ok' | 'error') => {
      for (const projectId of [1, 2]) {
        const checkIn = { slug: 'nightly', environment: 'production', status, config } as const
        await committer.commit({ ...entryOf(), checkIns: [{ projectId, receivedAt: at(), checkIn }] })
      }
    },
    breakTable: (table: string) =>
      store.connection.exec(`CREATE TRIGGER broken BEFORE INSERT ON ${table} WHEN NEW.project_id = 1
        BEGIN SELECT RAISE(ABORT, 'a bug of the statement'); END`),
    repair: () => store.connection.exec('DROP TRIGGER broken'),
    failIngest: (fails: boolean) => void (failsToIngest = fails),
    statusesOf: (projectId: number) =>
      store.connection
        .prepare(`SELECT status FROM monitor_check_ins WHERE project_id = ${projectId} ORDER BY at`)
        .all()
        .map(({ status }) => status),
    issuesOf: (projectId: number) =>
      store.connection.prepare(`SELECT id FROM issues WHERE project_id = ${projectId}`).all().length,
  }
}

it('check-ins of a project that cannot be applied do not stop those of the others', async () => {
  const { clock, errors, send, breakTable, repair, statusesOf } = await openTwo()
  breakTable('monitor_check_ins')
  await send('ok')
  expect(await clock.check()).toBe('failed')
  expect([statusesOf(1), statusesOf(2)]).toEqual([[], ['ok']])
  expect(errors).toMatchObject([{ project: 1, err: expect.any(Error) as Error }])
  repair()
  expect(await clock.check()).toBe('done')
  expect([statusesOf(1), statusesOf(2)]).toEqual([['ok'], ['ok']])
})

it('missed runs of a project that cannot be recorded do not hide those of the others', async () => {
  const { clock, send, setTime, breakTable, repair, statusesOf } = await openTwo()
  await send('ok')
  await clock.check()
  breakTable('monitor_check_ins')
  setTime(start + 13 * minuteMs)
  expect(await clock.check()).toBe('failed')
  expect([statusesOf(1), statusesOf(2)]).toEqual([['ok'], ['ok', 'missed']])
  repair()
  expect(await clock.check()).toBe('done')
  expect(statusesOf(1)).toEqual(['ok', 'missed'])
})

it('failures of a project that cannot be ingested do not stop the issues of the others', async () => {
  const { clock, send, failIngest, issuesOf } = await openTwo()
  failIngest(true)
  await send('error')
  expect(await clock.check()).toBe('failed')
  expect([issuesOf(1), issuesOf(2)]).toEqual([0, 1])
  failIngest(false)
  expect(await clock.check()).toBe('done')
  expect([issuesOf(1), issuesOf(2)]).toEqual([1, 1])
})

it('slots of the other projects restart after the clock was set back, and those of the failed one later', async () => {
  const { clock, errors, send, setTime, statusesOf, breakTable, repair } = await openTwo()
  await send('ok')
  await clock.check()
  breakTable('monitor_environments')
  setTime(start - 120 * minuteMs)
  expect(await clock.check()).toBe('failed')
  expect(errors).toMatchObject([{ project: 1 }])
  setTime(start - 107 * minuteMs)
  await clock.check()
  expect([statusesOf(1), statusesOf(2)]).toEqual([['ok'], ['missed', 'ok']])
  repair()
  await clock.check()
  setTime(start - 97 * minuteMs)
  expect(await clock.check()).toBe('done')
  expect(statusesOf(1)).toEqual(['missed', 'ok'])
})
