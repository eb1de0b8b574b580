import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { findPreviousRelease, findReleases } from '#server/store/releases/releases.ts'
import type { Store } from '#server/store/store.ts'
import { toSessionItem } from '#test/session-item.ts'
import { findBrokenInvariants } from '#test/store-invariants.ts'
import { openTestStore, testId, testNow } from '#test/test-store.ts'
import { dayMs, hourMs } from '#time/time-steps.ts'
import type { SessionBucketRecord, SessionRecord, SessionReport } from './record.ts'

function session(fields: Partial<SessionRecord> = {}): SessionRecord {
  return {
    kind: 'session',
    projectId: 1,
    release: 'web@1.0.0',
    environment: 'production',
    startedAt: testNow,
    sid: testId('session'),
    seq: 1,
    isFirst: true,
    state: 'healthy',
    ...fields,
  }
}

function bucket(fields: Partial<SessionBucketRecord> = {}): SessionBucketRecord {
  const { projectId, release, environment, startedAt } = session()
  const counts = { healthy: 5, errored: 1, unhandled: 1, abnormal: 1, crashed: 2 }
  return { kind: 'bucket', projectId, release, environment, startedAt, counts, ...fields }
}

async function openCounting() {
  const store = await openTestStore()
  const committer = createCommitter(store)
  const report = (...reports: SessionReport[]) => {
    const sessions = reports.map(toSessionItem)
    return committer.commit({ events: [], outcomes: [], deadLetters: [], sessions })
  }
  return { store, committer, report, series: () => readSeries(store) }
}

function readSeries({ connection }: Store) {
  return connection
    .prepare(
      `SELECT version, environment, session_count AS sessions, errored_count AS errored, unhandled_count AS unhandled,
         abnormal_count AS abnormal, crashed_count AS crashed, user_count AS users, crashed_user_count AS crashed_users
       FROM session_series ORDER BY project_id, version, environment`,
    )
    .all()
}

const none = { errored: 0, unhandled: 0, abnormal: 0, crashed: 0, users: 0, crashed_users: 0 }
const ofWeb = { version: 'web@1.0.0', environment: 'production', ...none }

it('the sessions of the release before are counted, all or in one environment', async () => {
  const { store, report } = await openCounting()
  const counts = { healthy: 90, errored: 0, unhandled: 0, abnormal: 0, crashed: 10 }
  await report(
    bucket({ release: 'web@1.0.0', counts }),
    bucket({ release: 'web@1.0.0', environment: 'staging' }),
    session({ release: 'web@2.0.0' }),
  )
  const [row] = await findReleases(store.db, { version: 'web@2.0.0', projectIds: [1] })
  if (row === undefined) throw new Error('No release')
  const crashesIn = async (environment?: string) =>
    (await findPreviousRelease(store.db, row, environment))?.crashes
  expect(await crashesIn()).toMatchObject({ sessionCount: 110, crashedCount: 12 })
  expect(await crashesIn('staging')).toMatchObject({ sessionCount: 10, crashedCount: 2 })
  expect(await crashesIn('nowhere')).toBeUndefined()
})

describe('a session', () => {
  it('is counted once, under its last state', async () => {
    const { store, report, series } = await openCounting()
    await report(session())
    expect(series()).toEqual([{ ...ofWeb, sessions: 1 }])
    await report(session({ seq: 2, isFirst: false, state: 'errored' }))
    expect(series()).toEqual([{ ...ofWeb, sessions: 1, errored: 1 }])
    await report(session({ seq: 3, isFirst: false, state: 'crashed' }))
    expect(series()).toEqual([{ ...ofWeb, sessions: 1, crashed: 1 }])
    expect(findBrokenInvariants(store)).toEqual([])
  })

  it('is counted once, even when it is repeated in one batch or later', async () => {
    const { store, report, series } = await openCounting()
    const crash = session({ seq: 2, isFirst: false, state: 'crashed' })
    await report(session(), session(), crash, crash)
    await report(session(), crash)
    expect(series()).toEqual([{ ...ofWeb, sessions: 1, crashed: 1 }])
    expect(findBrokenInvariants(store)).toEqual([])
  })

  it('is counted when its first update arrives last', async () => {
    const { report, series } = await openCounting()
    await report(session({ seq: 5, isFirst: false, state: 'unhandled' }))
    await report(session({ seq: 1 }))
    expect(series()).toEqual([{ ...ofWeb, sessions: 1, unhandled: 1 }])
  })

  it('does not recover from a crash, and ignores an update older than the last one', async () => {
    const { report, series } = await openCounting()
    await report(session({ seq: 5, state: 'errored' }), session({ seq: 4, isFirst: false, state: 'crashed' }))
    expect(series()).toEqual([{ ...ofWeb, sessions: 1, errored: 1 }])
    await report(session({ seq: 6, isFirst: false, state: 'crashed' }))
    await report(session({ seq: 7, isFirst: false, state: 'healthy' }))
    expect(series()).toEqual([{ ...ofWeb, sessions: 1, crashed: 1 }])
  })

  it('stays in its counted hour when a wrong clock moves its start over the hour', async () => {
    const { store, report, series } = await openCounting()
    const nextHour = testNow + hourMs / 2
    await report(session({ startedAt: nextHour - 1 }))
    await report(session({ startedAt: nextHour + 1, seq: 2, isFirst: false, state: 'crashed' }))
    expect(series()).toEqual([{ ...ofWeb, sessions: 1, crashed: 1 }])
    expect(store.connection.prepare('SELECT count(*) AS n FROM session_hours').get()).toEqual({ n: 1 })
  })

  it('is counted separately in another release, environment or project', async () => {
    const { report, series } = await openCounting()
    await report(
      session(),
      session({ environment: 'staging' }),
      session({ release: 'web@1.1.0' }),
      session({ projectId: 2 }),
    )
    expect(series().map(({ sessions }) => sessions)).toEqual([1, 1, 1, 1])
  })

  it('is not counted again by a late update', async () => {
    const { report, series } = await openCounting()
    await report(session())
    const forgotten = { startedAt: testNow - 2 * hourMs, sid: testId('forgotten'), isFirst: false }
    await report(session({ ...forgotten, state: 'crashed' }))
    expect(series()).toEqual([{ ...ofWeb, sessions: 1 }])
    await report(session({ ...forgotten, isFirst: true }))
    expect(series()).toEqual([{ ...ofWeb, sessions: 2 }])
  })

  it('of an unknown project is dropped', async () => {
    const { report, series } = await openCounting()
    await report(session({ projectId: 99 }))
    expect(series()).toEqual([])
  })
})

describe('buckets of sessions', () => {
  it('are added up with the other counters of the release', async () => {
    const { store, report, series } = await openCounting()
    await report(bucket(), bucket({ startedAt: testNow - hourMs }), session())
    expect(series()).toEqual([{ ...ofWeb, sessions: 21, errored: 2, unhandled: 2, abnormal: 2, crashed: 4 }])
    expect(
      store.connection.prepare('SELECT session_count AS n FROM session_hours ORDER BY hour').all(),
    ).toEqual([{ n: 10 }, { n: 11 }])
    expect(findBrokenInvariants(store)).toEqual([])
  })
})

describe('users of sessions', () => {
  it('count once per day and once in total, with separate counters of crashes', async () => {
    const { store, report, series } = await openCounting()
    await report(session({ userKey: 'did:1' }), session({ sid: testId('second'), userKey: 'did:1' }))
    await report(
      session({ sid: testId('third'), userKey: 'did:2', state: 'crashed' }),
      session({ sid: testId('4') }),
    )
    await report(
      session({ sid: testId('fifth'), userKey: 'did:1', startedAt: testNow - dayMs, state: 'crashed' }),
    )
    expect(series()).toEqual([{ ...ofWeb, sessions: 5, crashed: 2, users: 2, crashed_users: 2 }])
    const days = store.connection
      .prepare('SELECT user_count, crashed_user_count FROM session_days ORDER BY day')
      .all()
    expect(days.map((row) => Object.values(row))).toEqual([
      [1, 1],
      [2, 1],
    ])
  })

  it('are estimated from 1,024 rows when there are more', async () => {
    const { store, report, series } = await openCounting()
    const users = Array.from({ length: 3_000 }, (_, index) => `did:${index}`)
    await report(...users.map((userKey) => bucket({ userKey })))
    const counted = Number(series()[0]?.['users'])
    expect(counted).toBeGreaterThan(2_700)
    expect(counted).toBeLessThan(3_300)
    expect(store.connection.prepare('SELECT count(*) AS n FROM session_users').get()).toEqual({
      n: 4 * 1_024,
    })
  })
})

describe('a release', () => {
  it('is created by its first session, and is deleted with its sessions', async () => {
    const { store, report, series } = await openCounting()
    await report(session({ userKey: 'did:1' }))
    expect({
      ...store.connection.prepare('SELECT version, event_count, created_at FROM releases').get(),
    }).toEqual({
      version: 'web@1.0.0',
      event_count: 0,
      created_at: testNow,
    })
    store.connection.exec('DELETE FROM releases')
    for (const table of ['session_series', 'session_hours', 'session_days', 'session_users']) {
      expect([table, store.connection.prepare(`SELECT count(*) AS n FROM ${table}`).get()]).toEqual([
        table,
        { n: 0 },
      ])
    }
    await report(session({ seq: 2, isFirst: false, state: 'crashed' }))
    expect(series()).toEqual([{ ...ofWeb, sessions: 1, crashed: 1 }])
    expect(findBrokenInvariants(store)).toEqual([])
  })
})

describe('releases and environments of sessions', () => {
  it('are counted up to a limit per project, and the rest is recorded as an outcome', async () => {
    const { store, report } = await openCounting()
    const { sessionSeriesPerProject: most } = limits
    store.connection.exec(`
      WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ${most - 1})
      INSERT INTO session_series SELECT 1, 'r' || value, 'production', value, 0, 0, 0, 0, 0, 0, 0, 0, 0 FROM n`)
    store.connection.exec(`UPDATE projects SET last_series_id = ${most - 1} WHERE id = 1`)
    const ends = await report(
      session({ release: 'last@1' }),
      session({ release: 'surplus@1' }),
      session({ release: 'last@1', environment: 'qa' }),
      session({ release: 'r7' }),
      session({ release: 'surplus@1', projectId: 2 }),
    )
    expect(ends.sessions).toEqual(['counted', 'surplus', 'surplus', 'counted', 'counted'])
    const known = store.connection.prepare(`SELECT version FROM releases WHERE project_id = 1`).all()
    expect(known).toEqual([{ version: 'last@1' }])
    const outcomes = store.connection
      .prepare('SELECT project_id AS project, outcome, reason, quantity FROM outcome_hours ORDER BY 1, 2')
      .all()
    expect(outcomes).toEqual([
      { project: 1, outcome: 'abuse', reason: 'too_many_releases', quantity: 2 },
      { project: 1, outcome: 'accepted', reason: '', quantity: 2 },
      { project: 2, outcome: 'accepted', reason: '', quantity: 1 },
    ])
  })
})
