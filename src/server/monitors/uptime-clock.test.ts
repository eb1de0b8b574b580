import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { UptimeSettings } from '#monitors/uptime.ts'
import { createLog } from '#server/log.ts'
import { recordMonitorChange, recordNewMonitor } from '#server/store/monitors/changes.ts'
import type { Store } from '#server/store/store.ts'
import { serveLocally } from '#test/listen-locally.ts'
import { monitorClockStart, openMonitorStore } from '#test/monitor-clock.ts'
import { hourMs, minuteMs } from '#time/time-steps.ts'
import { createMonitorClock } from './monitor-clock.ts'

const log = createLog('silent')

/** A server whose answers the test sets; undefined: it never answers. */
async function listen() {
  const answers: { status: number | undefined; requestCount: number } = { status: 200, requestCount: 0 }
  const server = createServer((_request, response) => {
    answers.requestCount += 1
    if (answers.status !== undefined) response.writeHead(answers.status).end()
  })
  const { port, close } = await serveLocally(server)
  onTestFinished(close)
  return { answers, port, close }
}

/** A store whose clock the test sets, and a clock of monitors on it that may check this machine. */
async function setUp({ secondTarget }: { secondTarget?: { host: string; port: number } } = {}) {
  const { store, ingest, at, setTime } = await openMonitorStore()
  const createClock = (on: Store = store) =>
    createMonitorClock({
      store: on,
      log,
      isServerless: false,
      ingest,
      uptime: { privateDestinations: { networks: ['127.0.0.0/8', '::1'], hosts: [] }, secondTarget },
    })
  const clock = createClock()
  const read = (sql: string) => store.connection.prepare(sql).all()
  return {
    store,
    clock,
    createClock,
    read,
    setTime,
    pass: async (ms: number) => {
      setTime(at() + ms)
      await clock.check()
    },
    add: async (slug: string, url: string, settings: Partial<UptimeSettings> = {}) => {
      const target: UptimeSettings['target'] = {
        kind: 'http',
        url,
        method: 'GET',
        headers: [],
        body: '',
        expectedStatus: '2xx',
        expectedText: '',
        followsRedirects: true,
      }
      const given: UptimeSettings = {
        kind: 'uptime',
        target,
        environment: 'production',
        intervalSeconds: 30,
        timeoutSeconds: 2,
        failureThreshold: 1,
        recoveryThreshold: 1,
        ...settings,
      }
      const created = await recordNewMonitor(store, { projectId: 1, slug, name: slug, settings: given }, at())
      expect(created).toBe('created')
      const row = read(`SELECT id FROM monitors WHERE slug = '${slug}'`)[0]
      return { projectId: 1, monitorId: String(row?.['id']), settings: given }
    },
    statuses: () =>
      read('SELECT status, slot_at FROM monitor_check_ins ORDER BY slot_at').map(({ status, slot_at }) => [
        status,
        (Number(slot_at) - monitorClockStart) / 1_000,
      ]),
    issues: () => read('SELECT type, title, subtitle, status, event_count FROM issues ORDER BY number'),
  }
}

describe('an uptime monitor', () => {
  it('is checked after a start for which only its settings were restored, unless it is paused', async () => {
    const { add, clock, createClock, read, statuses, store } = await setUp()
    const { port } = await listen()
    await add('shop', `http://127.0.0.1:${port}/`)
    const paused = await add('paused', `http://127.0.0.1:${port}/`)
    await recordMonitorChange(store, paused, { change: { isPaused: true }, now: monitorClockStart })
    store.connection.exec('DELETE FROM monitor_environments')
    await clock.check()
    expect(statuses()).toEqual([['ok', 0]])
    const due = () => read('SELECT check_at FROM monitor_environments WHERE wake_at IS NOT NULL')
    expect(due()).toEqual([{ check_at: monitorClockStart + 30_000 }])
    // A further start changes nothing.
    await createClock().check()
    expect([due().length, statuses()]).toEqual([1, [['ok', 0]]])
  })

  it('creates an issue after as many failures as its threshold, and resolves it', async () => {
    const { add, pass, clock, statuses, issues, read } = await setUp()
    const { answers, port } = await listen()
    await add('shop', `http://127.0.0.1:${port}/health`, { failureThreshold: 2 })
    await clock.check()
    answers.status = 503
    await pass(30_000)
    expect(issues()).toEqual([])
    await pass(30_000)
    await pass(5_000)
    answers.status = 200
    await pass(25_000)
    expect(statuses()).toEqual([
      ['ok', 0],
      ['error', 30],
      ['error', 60],
      ['ok', 90],
    ])
    expect(issues()).toEqual([
      {
        type: 'uptime',
        title: 'Down: shop',
        subtitle: 'Status 503 instead of 2xx',
        status: 'resolved',
        event_count: 1,
      },
    ])
    expect(
      read(
        `SELECT status, quantity, duration_count FROM monitor_counts WHERE step_ms = 86400000 ORDER BY status`,
      ),
    ).toEqual([
      { status: 'error', quantity: 2, duration_count: 2 },
      { status: 'ok', quantity: 2, duration_count: 2 },
    ])
    const [event] = read('SELECT trace_id FROM events')
    const [row] = read(`SELECT trace_id FROM monitor_check_ins WHERE slot_at = ${monitorClockStart + 60_000}`)
    expect(event?.['trace_id']).toEqual(new Uint8Array(Buffer.from(String(row?.['trace_id']), 'hex')))
    answers.status = 500
    await pass(30_000)
    await pass(30_000)
    expect(issues()).toMatchObject([{ status: 'unresolved', event_count: 2 }])
  })

  it('is not checked while it is paused, and makes no issue while it is muted', async () => {
    const { add, pass, store, statuses, issues } = await setUp()
    const { answers, port } = await listen()
    answers.status = 500
    const monitor = await add('shop', `http://127.0.0.1:${port}/`)
    const change = (changed: Parameters<typeof recordMonitorChange>[2]['change']) =>
      recordMonitorChange(store, monitor, { change: changed, now: store.clock() })
    await change({ isPaused: true })
    await pass(120_000)
    expect(statuses()).toEqual([])
    await change({ isPaused: false, isMuted: true })
    await pass(1_000)
    expect(statuses()).toEqual([['error', 120]])
    expect(issues()).toEqual([])
  })

  it('is checked again if its check did not end within the time of a function', async () => {
    const { add, pass, clock, statuses } = await setUp()
    const { answers, port } = await listen()
    answers.status = undefined
    await add('shop', `http://127.0.0.1:${port}/`, { intervalSeconds: 60, timeoutSeconds: 30 })
    const end = new AbortController()
    const checking = clock.check(end.signal)
    await expect.poll(() => answers.requestCount).toBe(1)
    end.abort()
    await checking
    expect(statuses()).toEqual([])
    answers.status = 200
    await pass(1_000)
    expect(statuses()).toEqual([['ok', 0]])
  })

  it('is checked again at once with other settings, and keeps no result of the old ones', async () => {
    const { add, pass, store, clock, statuses } = await setUp()
    const { answers, port } = await listen()
    answers.status = undefined
    const { settings, ...monitor } = await add('shop', `http://127.0.0.1:${port}/`, { timeoutSeconds: 1 })
    const checking = clock.check()
    await expect.poll(() => answers.requestCount).toBe(1)
    const change = { settings: { ...settings, intervalSeconds: 60 } }
    await recordMonitorChange(store, monitor, { change, now: store.clock() + 1_000 })
    await checking
    expect(statuses()).toEqual([])
    answers.status = 200
    await pass(2_000)
    expect(statuses()).toEqual([['ok', 1]])
  })
})

describe('a failure that may be caused by Culvert’s own network', () => {
  it('is unknown if the second target of the operator cannot be reached', async () => {
    const second = await listen()
    const { add, clock, pass, statuses, issues, read } = await setUp({
      secondTarget: { host: '127.0.0.1', port: second.port },
    })
    const { port, close } = await listen()
    await close()
    await second.close()
    await add('shop', `http://127.0.0.1:${port}/`)
    await clock.check()
    expect(statuses()).toEqual([['unknown', 0]])
    expect(issues()).toEqual([])
    expect(String(read('SELECT seen FROM monitor_check_ins')[0]?.['seen'])).toContain('The second target')
    await pass(30_000)
    expect(statuses()).toEqual([
      ['unknown', 0],
      ['unknown', 30],
    ])
  })

  it('counts if another monitor of another host still works', async () => {
    const { add, clock, statuses, issues } = await setUp()
    const healthy = await listen()
    await add('healthy', `http://localhost:${healthy.port}/`, { intervalSeconds: 3_600 })
    await clock.check()
    const { port, close } = await listen()
    await close()
    await add('shop', `http://127.0.0.1:${port}/`)
    await clock.check()
    expect(new Set(statuses().map(([status]) => status))).toEqual(new Set(['error', 'ok']))
    expect(issues()).toMatchObject([{ title: 'Down: shop', subtitle: 'The server refused the connection' }])
  })

  it('is unknown if no other monitor can be reached', async () => {
    const { add, clock, statuses, issues } = await setUp()
    const healthy = await listen()
    await add('healthy', `http://localhost:${healthy.port}/`, { intervalSeconds: 3_600 })
    await clock.check()
    await healthy.close()
    const { port, close } = await listen()
    await close()
    await add('shop', `http://127.0.0.1:${port}/`)
    await clock.check()
    expect(new Set(statuses().map(([status]) => status))).toEqual(new Set(['ok', 'unknown']))
    expect(issues()).toEqual([])
  })
})

describe('slots of checks', () => {
  it('have one end each, with two processes, outages and jumps of the clock', async () => {
    const { add, pass, store, setTime, clock, createClock, read } = await setUp()
    const other = createClock()
    const { port } = await listen()
    await add('shop', `http://127.0.0.1:${port}/`)
    for (let minute = 0; minute < 4; minute += 1) {
      await Promise.all([pass(30_000), other.check()])
      await Promise.all([pass(30_000), other.check()])
    }
    await pass(3 * hourMs)
    await pass(1_000)
    // A little back: checks must not wait until the clock has caught up.
    setTime(store.clock() - 10 * minuteMs)
    await clock.check()
    await pass(30_000)
    const rows = read(
      'SELECT slot_at, count(*) AS ends FROM monitor_check_ins GROUP BY slot_at ORDER BY slot_at',
    )
    expect(rows.filter(({ ends }) => ends !== 1)).toEqual([])
    expect(rows.length).toBeGreaterThan(60)
    const [last] = read(
      `SELECT max(at) AS at FROM monitor_check_ins WHERE status = 'ok' AND at <= ${store.clock()}`,
    )
    expect(last?.['at']).toBe(store.clock())
    expect(read(`SELECT status FROM monitor_check_ins WHERE status NOT IN ('ok', 'unknown')`)).toEqual([])
  })

  it('are unknown after an outage, in a bounded number of rows', async () => {
    const { add, clock, pass, read, issues } = await setUp()
    const { port } = await listen()
    await add('shop', `http://127.0.0.1:${port}/`)
    await clock.check()
    await pass(30 * 24 * hourMs)
    const [row] = read(`SELECT count(*) AS count FROM monitor_check_ins WHERE status = 'unknown'`)
    expect(row?.['count']).toBeLessThanOrEqual(61)
    expect(issues()).toEqual([])
    await pass(30_000)
    const [ok] = read(`SELECT count(*) AS count FROM monitor_check_ins WHERE status = 'ok'`)
    expect(ok?.['count']).toBe(3)
  })
})

it('results of a project that cannot be written do not hold up those of the others', async () => {
  const { add, clock, pass, store, read } = await setUp()
  const { answers, port } = await listen()
  await add('shop', `http://127.0.0.1:${port}/`)
  await add('other', `http://127.0.0.1:${port}/`)
  store.connection.exec(`UPDATE monitor_environments SET project_id = 2
      WHERE monitor_id = (SELECT id FROM monitors WHERE slug = 'other');
    UPDATE monitors SET project_id = 2 WHERE slug = 'other';
    CREATE TRIGGER broken BEFORE INSERT ON monitor_check_ins WHEN NEW.project_id = 1
      BEGIN SELECT RAISE(ABORT, 'a bug of the statement'); END`)
  const written = () =>
    read('SELECT project_id FROM monitor_check_ins ORDER BY project_id').map((row) => row['project_id'])
  await clock.check()
  expect(written()).toEqual([2])
  store.connection.exec('DROP TRIGGER broken')
  await pass(5_000)
  expect(written()).toEqual([1, 2])
  // The result was kept, so the target was not checked again.
  expect(answers.requestCount).toBe(2)
})
