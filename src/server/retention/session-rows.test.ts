import { describe, expect, it } from 'vitest'
import type { SessionReport } from '#server/store/sessions/record.ts'
import { openKeptStore } from '#test/kept-store.ts'
import { toSessionItem } from '#test/session-item.ts'
import { findBrokenInvariants } from '#test/store-invariants.ts'
import { testId, testNow } from '#test/test-store.ts'
import { dayMs, hourMs, hourOf } from '#time/time-steps.ts'
import { createExpiryRun } from './expiry/run.ts'
import { createPacer } from './pacer.ts'
import { createReport } from './run-report.ts'
import { deleteOldSessions } from './session-rows.ts'

/** Opens a store and records sessions that started a number of days ago, each of another user. */
async function openSessionStore() {
  const kept = await openKeptStore()
  const report = async (release: string, daysAgo: number) => {
    const session: SessionReport = {
      kind: 'session',
      projectId: 1,
      release,
      environment: 'production',
      startedAt: testNow - daysAgo * dayMs,
      userKey: `did:${daysAgo}`,
      sid: testId(`${release} ${daysAgo}`),
      seq: 1,
      isFirst: true,
      state: daysAgo % 2 === 0 ? 'healthy' : 'crashed',
    }
    await kept.commit({ events: [], outcomes: [], deadLetters: [], sessions: [toSessionItem(session)] })
  }
  return { ...kept, report }
}

describe('sessions', () => {
  it('are stored individually for five days, and as counters for as long as events', async () => {
    const { store, report, retain, count } = await openSessionStore()
    for (const daysAgo of [0, 3, 6, 50, 91, 100]) await report('web@1', daysAgo)
    await report('web@0', 95)
    await retain()
    expect(
      ['counted_sessions', 'session_hours', 'session_days', 'session_series', 'releases'].map(count),
    ).toEqual([2, 4, 4, 1, 1])
    // The totals of all days are kept: the users of the release, and how many had a crash.
    expect(count('session_users')).toBe(4 + 1 + 6 + 2)
    expect({
      ...store.connection.prepare('SELECT session_count AS n, user_count AS users FROM session_series').get(),
    }).toEqual({ n: 6, users: 6 })
    expect(findBrokenInvariants(store)).toEqual([])
    expect((await retain()).rowCounts.size).toBe(0)
  })

  it('of very many releases lose their old counters, and only these', async () => {
    const { store, retain, count } = await openSessionStore()
    const { connection } = store
    // More than two steps of 500, and more rows of each than a statement deletes.
    const seriesCount = 1_001
    const addRelease = connection.prepare(
      `INSERT INTO releases (project_id, version, package, version_order, created_at, first_seen_at, last_seen_at, event_count)
       VALUES (1, ?, 'web', '', ?, ?, ?, 0)`,
    )
    const addSeries = connection.prepare(
      "INSERT INTO session_series VALUES (1, ?, 'production', ?, ?, ?, 3, 0, 0, 0, 0, 0, 0)",
    )
    const addHour = connection.prepare('INSERT INTO session_hours VALUES (1, ?, ?, 1, 0, 0, 0, 0)')
    connection.exec('BEGIN IMMEDIATE')
    for (let id = 1; id <= seriesCount; id += 1) {
      addRelease.run(`web@${id}`, testNow, testNow, testNow)
      addSeries.run(`web@${id}`, id, testNow - 95 * dayMs, testNow)
      for (const daysAgo of [95, 94, 0]) addHour.run(id, hourOf(testNow - daysAgo * dayMs))
    }
    connection.exec('COMMIT')
    const { rowCounts } = await retain()
    expect(rowCounts.get('session_hours')).toBe(2 * seriesCount)
    expect([count('session_hours'), count('session_series')]).toEqual([seriesCount, seriesCount])
    expect((await retain()).rowCounts.size).toBe(0)
  })

  it('are kept for the retention of their project', async () => {
    const { report, keep, retain, count } = await openSessionStore()
    for (const daysAgo of [0, 3, 8]) await report('web@1', daysAgo)
    await keep(1, { days: 7 })
    await retain()
    expect(count('session_hours')).toBe(2)
    await keep(1, { days: 1 })
    await retain()
    expect([count('session_hours'), count('counted_sessions')]).toEqual([1, 1])
  })

  it('keep their release without events while any session is kept', async () => {
    const { store, report, retain, count } = await openSessionStore()
    await report('web@1', 95)
    await report('web@1', 1)
    await retain()
    expect(count('releases')).toBe(1)
    expect(findBrokenInvariants(store)).toEqual([])
  })

  it('are stored individually up to a limit: those of the latest hours', async () => {
    const { store } = await openSessionStore()
    const insert = store.connection.prepare('INSERT INTO counted_sessions VALUES (1, ?, 1, ?, 1, 0)')
    const hours = [0, 1, 2, 3].map((ago) => hourOf(testNow) - ago * hourMs)
    for (const hour of hours) {
      for (let index = 0; index < 50; index += 1) insert.run(hour, Buffer.from([index]))
    }
    const pacer = createPacer({ store, signal: new AbortController().signal, isReadOnly: false })
    const report = createReport({ isDryRun: false, isClockTrusted: true, usedBytesBefore: 0 })
    const run = createExpiryRun({ store, pacer, isDryRun: false, report })
    await deleteOldSessions(run, { projectId: 1, cutoffAt: testNow - 90 * dayMs, maxKnown: 100 })
    const kept = store.connection
      .prepare('SELECT DISTINCT hour FROM counted_sessions ORDER BY hour DESC')
      .all()
    expect(kept.map(({ hour }) => hour)).toEqual(hours.slice(0, 3))
  })
})
