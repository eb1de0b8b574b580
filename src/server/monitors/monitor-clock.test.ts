import { describe, expect, it } from 'vitest'
import type { CheckIn } from '#monitors/check-in.ts'
import type { MonitorSettings } from '#monitors/schedule.ts'
import { defaultUptimeSettings } from '#monitors/uptime.ts'
import { parseEnvelope } from '#protocol/envelope.ts'
import { toEnvelopeWork } from '#server/ingest/envelope/envelope-work.ts'
import { compileProjectRules } from '#server/ingest/project-rules.ts'
import { limits } from '#server/limits.ts'
import { createLog } from '#server/log.ts'
import { decideWaitingAlerts } from '#server/store/alerts/decisions.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { recordMonitorChange, recordNewMonitor } from '#server/store/monitors/changes.ts'
import { listMonitors } from '#server/store/monitors/views.ts'
import { defaultProjectSettings } from '#server/store/projects/settings.ts'
import type { Store } from '#server/store/store.ts'
import { recordAssignee } from '#server/store/triage/assignee.ts'
import { hourMs, minuteMs } from '#time/time-steps.ts'
import { openTestStore, testId, entryOf } from '../../../test/support/test-store.ts'
import { addTestUser } from '../../../test/support/test-users.ts'
import { createMonitorClock } from './monitor-clock.ts'

const log = createLog('silent')
const tickMs = limits.monitorGapMs
const start = Date.UTC(2026, 4, 1, 10)

const everyTenMinutes: MonitorSettings = {
  schedule: { kind: 'crontab', crontab: '*/10 * * * *', timeZone: 'UTC' },
  marginMinutes: 2,
  maxRuntimeMinutes: 5,
  failureThreshold: 1,
  recoveryThreshold: 1,
}

/** A store whose clock the test sets, and a clock of monitors on it. */
async function setUp(settings = everyTenMinutes, isServerless = false) {
  let now = start
  let failsToIngest = false
  const store = await openTestStore({ clock: () => now })
  const committer = createCommitter(store, log)
  const rules = compileProjectRules(defaultProjectSettings)
  const ingest = async ({ projectId, body }: { projectId: number; body: Uint8Array }) => {
    const parsed = parseEnvelope(body)
    if (!parsed.ok) throw new Error(parsed.problem)
    const context = {
      projectId,
      receivedAt: now,
      rules,
      createEventId: () => testId('none'),
      onFailure: () => {},
    }
    await committer.commit(toEnvelopeWork(parsed.envelope, context).work)
    // Simulates a process that is killed after the commit.
    if (failsToIngest) throw new Error('killed')
  }
  const createClock = (on: Store = store) =>
    createMonitorClock({
      store: on,
      log,
      isServerless,
      ingest,
      uptime: { privateDestinations: { networks: [], hosts: [] } },
    })
  let clock = createClock()
  const run = async (until: number) => {
    for (; now < until; now = Math.min(now + tickMs, until)) await clock.check()
    await clock.check()
  }
  return {
    store,
    run,
    createClock,
    read: (sql: string) => store.connection.prepare(sql).all(),
    at: () => now,
    setTime: (to: number) => void (now = to),
    kill: (isKilled: boolean) => void (failsToIngest = isKilled),
    replaceClock: async () => {
      await clock.stop()
      clock = createClock()
    },
    /** Advances the time, then sends a check-in. */
    send: async (at: number, fields: Partial<CheckIn> = {}) => {
      await run(at)
      const config = { ok: true, settings } as const
      const checkIn: CheckIn = { slug: 'nightly', environment: 'production', status: 'ok', config, ...fields }
      await committer.commit({ ...entryOf(), checkIns: [{ projectId: 1, receivedAt: now, checkIn }] })
      await clock.check()
    },
  }
}

const statusesSql = 'SELECT status, slot_at FROM monitor_check_ins ORDER BY at, id'
const issuesSql = 'SELECT type, title, subtitle, culprit, status, event_count FROM issues ORDER BY number'
const minutes = (slot: unknown) => (typeof slot === 'number' ? (slot - start) / minuteMs : null)

describe('a monitor', () => {
  it('makes one issue of missed check-ins, and resolves it when the job runs again', async () => {
    const { send, run, read } = await setUp()
    await send(start)
    await run(start + 23 * minuteMs)
    expect(read(statusesSql).map(({ status, slot_at }) => [status, minutes(slot_at)])).toEqual([
      ['ok', 0],
      ['missed', 10],
      ['missed', 20],
    ])
    expect(read(issuesSql)).toEqual([
      {
        type: 'monitor',
        title: 'Missed check-in: nightly',
        subtitle: 'No check-in arrived for 2026-05-01 10:20 UTC',
        culprit: 'nightly',
        status: 'unresolved',
        event_count: 2,
      },
    ])
    await send(start + 30 * minuteMs)
    expect(read(issuesSql)).toMatchObject([{ status: 'resolved', event_count: 2 }])
    await run(start + 43 * minuteMs)
    expect(read(issuesSql)).toMatchObject([{ status: 'unresolved', event_count: 3 }])
    expect(read('SELECT kind FROM alert_transitions ORDER BY kind')).toMatchObject([
      { kind: 'first_event' },
      { kind: 'new' },
      { kind: 'recovered' },
      { kind: 'regressed' },
    ])
  })

  it('resolves its issue while it is muted, and makes none', async () => {
    const { send, read, store, at } = await setUp()
    await send(start, { status: 'error' })
    const [monitor] = await listMonitors(store.db, { projectIds: [1], limit: 1, offset: 0 })
    const reference = { projectId: 1, monitorId: monitor?.id ?? '' }
    await recordMonitorChange(store, reference, { change: { isMuted: true }, now: at() })
    await send(start + 10 * minuteMs)
    expect(read(issuesSql)).toMatchObject([{ status: 'resolved', event_count: 1 }])
    await send(start + 20 * minuteMs, { status: 'error' })
    expect(read(issuesSql)).toMatchObject([{ status: 'resolved', event_count: 1 }])
  })

  it('accepts a check-in that is early or late by the margin', async () => {
    const { send, run, read } = await setUp()
    await send(start)
    await send(start + 8.5 * minuteMs)
    await send(start + 21.5 * minuteMs)
    await run(start + 29 * minuteMs)
    expect(read(statusesSql).map(({ slot_at }) => minutes(slot_at))).toEqual([0, 10, 20])
    expect(read(issuesSql)).toEqual([])
  })

  it('fails on an error and on a run without an end, and ends a run by its id or as the newest one', async () => {
    const { send, run, read } = await setUp()
    const [one, other] = [testId('one'), testId('other')]
    await send(start, { status: 'in_progress', id: one })
    await send(start + minuteMs, { id: one, durationMs: 1234 })
    await send(start + 10 * minuteMs, { status: 'in_progress' })
    await send(start + 11 * minuteMs, { status: 'error', body: 'disk full' })
    await send(start + 20 * minuteMs, { status: 'in_progress', id: other })
    await run(start + 26 * minuteMs)
    // It does not undo the timeout.
    await send(start + 27 * minuteMs, { id: other })
    expect(read('SELECT status, duration_ms, body FROM monitor_check_ins ORDER BY at')).toEqual([
      { status: 'ok', duration_ms: 1234, body: null },
      { status: 'error', duration_ms: 60_000, body: 'disk full' },
      { status: 'timeout', duration_ms: 420_000, body: null },
    ])
    expect(read(issuesSql)).toMatchObject([
      {
        title: 'Timed-out check-in: nightly',
        subtitle: 'The run did not report its end in time',
        event_count: 2,
      },
    ])
    await send(start + 28 * minuteMs, { id: one })
    expect(
      read(`SELECT outcome, reason, quantity FROM outcome_hours WHERE category = 'monitor' ORDER BY reason`),
    ).toEqual([
      { outcome: 'accepted', reason: '', quantity: 6 },
      { outcome: 'invalid', reason: 'monitor_finished', quantity: 1 },
    ])
  })

  it('counts failures up to its threshold, and successes before it has recovered', async () => {
    const { send, read } = await setUp({ ...everyTenMinutes, failureThreshold: 3, recoveryThreshold: 2 })
    for (const minute of [0, 10]) await send(start + minute * minuteMs, { status: 'error' })
    expect(read(issuesSql)).toEqual([])
    await send(start + 20 * minuteMs, { status: 'error' })
    expect(read(issuesSql)).toMatchObject([{ status: 'unresolved', event_count: 1 }])
    await send(start + 30 * minuteMs)
    expect(read(issuesSql)).toMatchObject([{ status: 'unresolved' }])
    await send(start + 40 * minuteMs)
    expect(read(issuesSql)).toMatchObject([{ status: 'resolved' }])
  })

  it('has an owner, who gets its issue once, and is notified of it and of the recovery', async () => {
    const { store, send, run, read } = await setUp({ ...everyTenMinutes, owner: 'user:ada@example.com' })
    for (const userId of ['ada', 'bo']) addTestUser(store, { userId })
    await send(start)
    await run(start + 13 * minuteMs)
    const assignees = () => read('SELECT assignee_id FROM issues').map(({ assignee_id }) => assignee_id)
    expect(assignees()).toEqual(['ada'])
    const [{ id } = { id: 0 }] = await store.db.selectFrom('issues').select('id').execute()
    const selection = { issueIds: [id], projectIds: [1] }
    const unassign = { userId: 'bo', at: start + 14 * minuteMs, assigneeId: null }
    await recordAssignee(store, selection, unassign)
    await run(start + 23 * minuteMs)
    expect(assignees()).toEqual([null])
    await recordAssignee(store, selection, { ...unassign, assigneeId: 'ada' })
    // Settings without an owner keep the current one.
    await send(start + 30 * minuteMs, { config: { ok: true, settings: everyTenMinutes } })
    expect(read('SELECT settings FROM monitors').map(({ settings }) => settings)).toEqual([
      JSON.stringify({ ...everyTenMinutes, owner: 'user:ada@example.com' }),
    ])
    await decideWaitingAlerts(store, { now: start + 31 * minuteMs, hasMail: false })
    expect(
      read(`SELECT user_id, kind FROM inbox_items
        WHERE kind IN ('assigned', 'recovered') ORDER BY user_id, kind`),
    ).toEqual([
      { user_id: 'ada', kind: 'assigned' },
      { user_id: 'ada', kind: 'assigned' },
      { user_id: 'ada', kind: 'recovered' },
    ])
  })

  it.each(['team:crew', 'user:bo@example.com', 'user:0'])(
    'assigns its issue to no user for the owner %s',
    async (owner) => {
      const { store, send, read } = await setUp({ ...everyTenMinutes, owner })
      addTestUser(store, { userId: 'ada' })
      await send(start, { status: 'error' })
      expect(read('SELECT assignee_id FROM issues')).toEqual([{ assignee_id: null }])
    },
  )

  it('has an issue for each environment', async () => {
    const { send, run, read } = await setUp()
    await send(start)
    await send(start + 1, { environment: 'staging' })
    await run(start + 13 * minuteMs)
    expect(read('SELECT environment FROM issue_environments ORDER BY environment')).toEqual([
      { environment: 'production' },
      { environment: 'staging' },
    ])
    expect(read(issuesSql)).toHaveLength(2)
  })

  it('stores the event of a failure once, also if the process is killed before it has noted it', async () => {
    const { send, run, read, kill, replaceClock } = await setUp()
    await send(start)
    kill(true)
    await run(start + 15 * minuteMs)
    await replaceClock()
    kill(false)
    await run(start + 16 * minuteMs)
    expect(read(issuesSql)).toMatchObject([{ event_count: 1 }])
    expect(read('SELECT * FROM monitor_signals')).toEqual([])
  })
})

describe('the time while Culvert was down, the clock was set back or a monitor was paused', () => {
  it('makes slots unknown, not missed, and the next one counts again', async () => {
    const { send, run, read, setTime, at } = await setUp()
    await send(start)
    await run(start + 5 * minuteMs)
    setTime(at() + 27 * minuteMs)
    await run(start + 53 * minuteMs)
    expect(read(statusesSql).map(({ status, slot_at }) => [status, minutes(slot_at)])).toEqual([
      ['ok', 0],
      ['unknown', 10],
      ['unknown', 20],
      ['unknown', 30],
      ['missed', 40],
      ['missed', 50],
    ])
  })

  it('makes the end of a run unknown, until its end arrives', async () => {
    const { send, run, read, setTime, at } = await setUp()
    const id = testId('run')
    await send(start, { status: 'in_progress', id })
    setTime(at() + 6 * minuteMs)
    await run(at() + minuteMs)
    expect(read(statusesSql)).toMatchObject([{ status: 'unknown' }])
    await send(at() + minuteMs, { id })
    expect(read(statusesSql)).toMatchObject([{ status: 'ok' }])
    expect(read(issuesSql)).toEqual([])
  })

  it('needs a bounded number of rows', async () => {
    const { send, run, read, setTime, at } = await setUp()
    await send(start)
    setTime(at() + 90 * 24 * hourMs)
    await run(at() + minuteMs)
    expect(read(statusesSql).length).toBeLessThan(130)
    await run(at() + 25 * minuteMs)
    expect(read(statusesSql).at(-1)).toMatchObject({ status: 'missed' })
  })

  it('ends every slot once, over outages and jumps of the clock in both directions', async () => {
    const { send, run, read, setTime, at, replaceClock } = await setUp()
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
    const { send, run, read, setTime } = await setUp()
    await send(start)
    setTime(start + 5 * 365 * 24 * hourMs)
    await run(start + 5 * 365 * 24 * hourMs + minuteMs)
    setTime(start + 20 * minuteMs)
    await run(start + 33 * minuteMs)
    expect(
      read(statusesSql)
        .filter(({ status }) => status === 'missed')
        .map(({ slot_at }) => minutes(slot_at)),
    ).toEqual([30])
  })

  it('measures no negative duration of a run during which the clock was set back', async () => {
    const { send, read, setTime, at } = await setUp()
    await send(start, { status: 'in_progress', id: testId('run') })
    setTime(start - 30_000)
    await send(at(), { id: testId('run') })
    expect(read('SELECT duration_ms FROM monitor_check_ins')).toEqual([{ duration_ms: 0 }])
  })

  it('counts a run once that ends after the clock was set back', async () => {
    const { send, run, read, setTime, at } = await setUp()
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
    const { send, run, read, store, setTime, at } = await setUp()
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
    expect(read(issuesSql)).toEqual([])
  })

  it('has no failed run whose end was not accepted during a pause', async () => {
    const { send, run, read, store, at } = await setUp()
    await send(start, { status: 'in_progress', id: testId('run') })
    const [monitor] = await listMonitors(store.db, { projectIds: [1], limit: 1, offset: 0 })
    const reference = { projectId: 1, monitorId: monitor?.id ?? '' }
    await recordMonitorChange(store, reference, { change: { isPaused: true }, now: at() })
    await run(start + hourMs)
    expect(read("SELECT 1 FROM monitor_environments WHERE state LIKE '%in_progress%'")).toEqual([])
    await recordMonitorChange(store, reference, { change: { isPaused: false }, now: at() })
    await run(at() + 5 * minuteMs)
    expect(read('SELECT status FROM monitor_check_ins')).toEqual([{ status: 'unknown' }])
    expect(read(issuesSql)).toEqual([])
  })

  it('runs in only one of several processes', async () => {
    const { send, run, read, store, createClock, at } = await setUp()
    await send(start)
    const other = createClock(await store.openAgain())
    await run(start + 9 * minuteMs)
    await Promise.all([run(at() + 4 * minuteMs), other.check(), other.check()])
    expect(read(statusesSql)).toHaveLength(2)
    await other.stop()
  })

  it('is not blocked by a function that is suspended after a check', async () => {
    const { send, read, store, createClock, setTime } = await setUp(everyTenMinutes, true)
    await send(start)
    setTime(start + 13 * minuteMs)
    await createClock(await store.openAgain()).check()
    expect(read(statusesSql).map(({ status }) => status)).toEqual(['ok', 'missed'])
    expect(read(`SELECT * FROM leases WHERE name = 'monitors'`)).toEqual([])
  })
})

describe('bad input', () => {
  it('has an outcome with a reason, and creates no monitor', async () => {
    const { send, read } = await setUp()
    const config = { ok: false, reason: 'monitor_crontab', problem: 'six fields' } as const
    await send(start, { config })
    await send(start, { config: undefined })
    expect(read('SELECT * FROM monitors')).toEqual([])
    expect(read(`SELECT reason FROM outcome_hours WHERE category = 'monitor' ORDER BY reason`)).toEqual([
      { reason: 'monitor_crontab' },
      { reason: 'monitor_not_found' },
    ])
    // An existing monitor keeps its settings, and reports the reason.
    await send(start)
    await send(start + 1, { config })
    expect(read('SELECT config_problem FROM monitors')).toEqual([{ config_problem: 'six fields' }])
  })

  it('is bounded: monitors of a project, environments of a monitor, check-ins of a minute', async () => {
    const { send, read, at } = await setUp()
    for (let index = 0; index <= limits.monitorEnvironments; index += 1)
      await send(start, { environment: `env-${index}` })
    for (let index = 0; index < 60; index += 1) await send(at(), { environment: 'env-0' })
    expect(
      read(`SELECT reason, quantity FROM outcome_hours WHERE category = 'monitor' ORDER BY reason`),
    ).toEqual([
      { reason: '', quantity: limits.monitorEnvironments + 59 },
      { reason: 'monitor_environment_limit', quantity: 1 },
      { reason: 'monitor_rate', quantity: 1 },
    ])
  })
})
