import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { decideWaitingAlerts } from '#server/store/alerts/decisions.ts'
import { recordMonitorChange } from '#server/store/monitors/changes.ts'
import { listMonitors } from '#server/store/monitors/listed-monitors.ts'
import { recordAssignee } from '#server/store/triage/assignee.ts'
import { recordMerge } from '#server/store/triage/merge.ts'
import {
  checkInsSql,
  everyTenMinutes,
  minutesToSlot,
  monitorClockStart as start,
  monitorIssuesSql,
  openMonitorClock,
} from '#test/monitor-clock.ts'
import { testId } from '#test/test-store.ts'
import { addTestUser } from '#test/test-users.ts'
import { minuteMs } from '#time/time-steps.ts'

describe('a monitor', () => {
  it('makes one issue of missed check-ins, and resolves it when the job runs again', async () => {
    const { send, run, read } = await openMonitorClock()
    await send(start)
    await run(start + 23 * minuteMs)
    expect(read(checkInsSql).map(({ status, slot_at }) => [status, minutesToSlot(slot_at)])).toEqual([
      ['ok', 0],
      ['missed', 10],
      ['missed', 20],
    ])
    expect(read(monitorIssuesSql)).toEqual([
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
    expect(read(monitorIssuesSql)).toMatchObject([{ status: 'resolved', event_count: 2 }])
    await run(start + 43 * minuteMs)
    expect(read(monitorIssuesSql)).toMatchObject([{ status: 'unresolved', event_count: 3 }])
    expect(read('SELECT kind FROM alert_transitions ORDER BY kind')).toMatchObject([
      { kind: 'first_event' },
      { kind: 'new' },
      { kind: 'recovered' },
      { kind: 'regressed' },
    ])
  })

  it('resolves its issue while it is muted, and makes none', async () => {
    const { send, read, store, at } = await openMonitorClock()
    await send(start, { status: 'error' })
    const { monitors } = await listMonitors(store.db, { projectIds: [1], limit: 1, offset: 0 })
    const [monitor] = monitors
    const reference = { projectId: 1, monitorId: monitor?.id ?? '' }
    await recordMonitorChange(store, reference, { change: { isMuted: true }, now: at() })
    await send(start + 10 * minuteMs)
    expect(read(monitorIssuesSql)).toMatchObject([{ status: 'resolved', event_count: 1 }])
    await send(start + 20 * minuteMs, { status: 'error' })
    expect(read(monitorIssuesSql)).toMatchObject([{ status: 'resolved', event_count: 1 }])
  })

  it('resolves the issue that its own was merged into, even when the event of the failure is not stored', async () => {
    const { send, read, store, at } = await openMonitorClock()
    await send(start, { slug: 'other', status: 'error' })
    await send(start + minuteMs, { status: 'error' })
    const issueIds = read('SELECT id FROM issues ORDER BY number').map(({ id }) => Number(id))
    const [intoId] = issueIds
    await recordMerge(store, { issueIds, projectIds: [1] }, { userId: 'ada', at: at(), intoId })
    store.connection.exec(`DELETE FROM events WHERE occurred_at > ${start}`)
    await send(start + 10 * minuteMs)
    expect(read(monitorIssuesSql)).toMatchObject([{ status: 'resolved' }])
  })

  it('whose first check-in is only a text misses no run before its interval has passed', async () => {
    const schedule = { kind: 'interval', value: 10, unit: 'minute' } as const
    const { send, run, read } = await openMonitorClock({ ...everyTenMinutes, schedule })
    await send(start, { status: 'log', body: 'starting' })
    await run(start + 11.5 * minuteMs)
    expect(read(checkInsSql)).toEqual([{ status: 'log', slot_at: null }])
    await run(start + 13 * minuteMs)
    expect(read(checkInsSql).map(({ status, slot_at }) => [status, minutesToSlot(slot_at)])).toEqual([
      ['log', null],
      ['missed', 10],
    ])
  })

  it('accepts a check-in that is early or late by the margin', async () => {
    const { send, run, read } = await openMonitorClock()
    await send(start)
    await send(start + 8.5 * minuteMs)
    await send(start + 21.5 * minuteMs)
    await run(start + 29 * minuteMs)
    expect(read(checkInsSql).map(({ slot_at }) => minutesToSlot(slot_at))).toEqual([0, 10, 20])
    expect(read(monitorIssuesSql)).toEqual([])
  })

  it('fails on an error and on a run without an end, and ends a run by its id or as the newest one', async () => {
    const { send, run, read } = await openMonitorClock()
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
    expect(read(monitorIssuesSql)).toMatchObject([
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
    const { send, read } = await openMonitorClock({
      ...everyTenMinutes,
      failureThreshold: 3,
      recoveryThreshold: 2,
    })
    for (const minute of [0, 10]) await send(start + minute * minuteMs, { status: 'error' })
    expect(read(monitorIssuesSql)).toEqual([])
    await send(start + 20 * minuteMs, { status: 'error' })
    expect(read(monitorIssuesSql)).toMatchObject([{ status: 'unresolved', event_count: 1 }])
    await send(start + 30 * minuteMs)
    expect(read(monitorIssuesSql)).toMatchObject([{ status: 'unresolved' }])
    await send(start + 40 * minuteMs)
    expect(read(monitorIssuesSql)).toMatchObject([{ status: 'resolved' }])
  })

  it('has an owner, who gets its issue once, and is notified of it and of the recovery', async () => {
    const { store, send, run, read } = await openMonitorClock({
      ...everyTenMinutes,
      owner: 'user:ada@example.com',
    })
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

  it('has an owner, who does not get the issue that its own was merged into again', async () => {
    const { store, send, read, at } = await openMonitorClock({
      ...everyTenMinutes,
      owner: 'user:ada@example.com',
    })
    addTestUser(store, { userId: 'ada' })
    await send(start, {
      environment: 'staging',
      config: { ok: true, settings: everyTenMinutes },
      status: 'error',
    })
    await send(start + minuteMs, { status: 'error' })
    const issueIds = read('SELECT id FROM issues ORDER BY number').map(({ id }) => Number(id))
    const [intoId] = issueIds
    await recordMerge(store, { issueIds, projectIds: [1] }, { userId: 'ada', at: at(), intoId })
    await send(start + 2 * minuteMs, { status: 'error' })
    expect(read('SELECT assignee_id FROM issues')).toEqual([{ assignee_id: null }])
  })

  it.each(['team:crew', 'user:bo@example.com', 'user:0'])(
    'assigns its issue to no user for the owner %s',
    async (owner) => {
      const { store, send, read } = await openMonitorClock({ ...everyTenMinutes, owner })
      addTestUser(store, { userId: 'ada' })
      await send(start, { status: 'error' })
      expect(read('SELECT assignee_id FROM issues')).toEqual([{ assignee_id: null }])
    },
  )

  it('has an issue for each environment', async () => {
    const { send, run, read } = await openMonitorClock()
    await send(start)
    await send(start + 1, { environment: 'staging' })
    await run(start + 13 * minuteMs)
    expect(read('SELECT environment FROM issue_environments ORDER BY environment')).toEqual([
      { environment: 'production' },
      { environment: 'staging' },
    ])
    expect(read(monitorIssuesSql)).toHaveLength(2)
  })

  it('stores the event of a failure once, even if the process is killed before it has noted it', async () => {
    const { send, run, read, kill, replaceClock } = await openMonitorClock()
    await send(start)
    kill(true)
    await run(start + 15 * minuteMs)
    await replaceClock()
    kill(false)
    await run(start + 16 * minuteMs)
    expect(read(monitorIssuesSql)).toMatchObject([{ event_count: 1 }])
    expect(read('SELECT * FROM monitor_signals')).toEqual([])
  })

  it('runs in only one of several processes', async () => {
    const { send, run, read, store, createClock, at } = await openMonitorClock()
    await send(start)
    const other = createClock(await store.openAgain())
    await run(start + 9 * minuteMs)
    await Promise.all([run(at() + 4 * minuteMs), other.check(), other.check()])
    expect(read(checkInsSql)).toHaveLength(2)
    await other.stop()
  })

  it('is not blocked by a function that is suspended after a check', async () => {
    const { send, read, store, createClock, setTime } = await openMonitorClock(everyTenMinutes, true)
    await send(start)
    setTime(start + 13 * minuteMs)
    await createClock(await store.openAgain()).check()
    expect(read(checkInsSql).map(({ status }) => status)).toEqual(['ok', 'missed'])
    expect(read(`SELECT * FROM leases WHERE name = 'monitors'`)).toEqual([])
  })
})

describe('bad input', () => {
  it('has an outcome with a reason, and creates no monitor', async () => {
    const { send, read } = await openMonitorClock()
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
    const { send, read, at } = await openMonitorClock()
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
