import { expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { createMonitorClock } from '#server/monitors/monitor-clock.ts'
import { listMonitors } from '#server/store/monitors/listed-monitors.ts'
import { createErrorLog } from '#test/error-log.ts'
import { monitorClockStart as start, openMonitorClock } from '#test/monitor-clock.ts'
import { minuteMs } from '#time/time-steps.ts'

/** Two monitors with a check-in, of which `broken` has then been changed by a newer version. */
async function openBroken(change: string) {
  const opened = await openMonitorClock()
  const { store, send } = opened
  for (const slug of ['broken', 'nightly']) await send(start, { slug })
  store.connection.exec(change)
  const { log, errors } = createErrorLog()
  const clock = createMonitorClock({
    store,
    log,
    isServerless: true,
    ingest: () => Promise.resolve(),
    uptime: { privateDestinations: { networks: [], hosts: [] } },
  })
  const statusesOf = (slug: string) =>
    opened
      .read(
        `SELECT c.status FROM monitor_check_ins c JOIN monitors m ON m.id = c.monitor_id WHERE m.slug = '${slug}' ORDER BY c.at`,
      )
      .map(({ status }) => status)
  return { ...opened, errors, clock, statusesOf }
}

const ofBroken = `(SELECT id FROM monitors WHERE slug = 'broken')`

it.each([
  ['settings', `UPDATE monitors SET settings = '{"schedule":{"kind":"lunar"}}' WHERE slug = 'broken'`],
  ['damaged settings', `UPDATE monitors SET settings = '{' WHERE slug = 'broken'`],
  ['a state', `UPDATE monitor_environments SET state = '{"slots":[]}' WHERE monitor_id = ${ofBroken}`],
])('a monitor with %s of a newer version does not stop the others, and is logged once', async (_, change) => {
  const { setTime, clock, errors, statusesOf, read } = await openBroken(change)
  setTime(start + 13 * minuteMs)
  expect(await clock.check()).toBe('done')
  expect(statusesOf('nightly')).toEqual(['ok', 'missed'])
  expect(statusesOf('broken')).toEqual(['ok'])
  expect(errors).toMatchObject([{ table: expect.stringMatching(/^monitor/) as string }])
  setTime(start + 23 * minuteMs)
  expect(await clock.check()).toBe('done')
  expect(statusesOf('nightly')).toEqual(['ok', 'missed', 'missed'])
  expect(errors).toHaveLength(1)
  // Its environment remains, and is read again later.
  const wakeAts = read(`SELECT wake_at FROM monitor_environments WHERE monitor_id = ${ofBroken}`)
  expect(wakeAts).toEqual([{ wake_at: start + 13 * minuteMs + limits.monitorUnreadableMs }])
})

it('a check-in of such a monitor is rejected, and the others are applied', async () => {
  const { send, statusesOf, read, store } = await openBroken(
    `UPDATE monitors SET settings = '{}' WHERE slug = 'broken'`,
  )
  for (const slug of ['broken', 'nightly']) await send(start + 10 * minuteMs, { slug })
  expect([statusesOf('broken'), statusesOf('nightly')]).toEqual([['ok'], ['ok', 'ok']])
  expect(read(`SELECT reason, quantity FROM outcome_hours WHERE reason <> ''`)).toEqual([
    { reason: 'monitor_unreadable', quantity: 1 },
  ])
  const { monitors, unreadable } = await listMonitors(store.db, { projectIds: [1], limit: 9, offset: 0 })
  expect([monitors.map(({ slug }) => slug), unreadable.map(({ name }) => name)]).toEqual([
    ['nightly'],
    ['broken'],
  ])
})

it('a signal that cannot be read is dropped, and the others become events', async () => {
  const { send, store, read, run } = await openBroken('SELECT 1')
  store.connection.exec(
    `INSERT INTO monitor_signals (project_id, id, monitor_id, environment, signal, event_id)
     VALUES (1, '0', ${ofBroken}, 'production', '{"kind":"late"}', '${'0'.repeat(32)}')`,
  )
  await send(start + 10 * minuteMs, { status: 'error' })
  await run(start + 11 * minuteMs)
  expect(read('SELECT id FROM monitor_signals')).toEqual([])
  expect(read('SELECT title FROM issues')).toHaveLength(1)
})
