import { describe, expect, it } from 'vitest'
import { createCommitter } from '#server/store/ingest/committer.ts'
import type { SessionBucketRecord } from '#server/store/sessions/record.ts'
import { toSessionItem } from '#test/session-item.ts'
import { openTestStore, testNow } from '#test/test-store.ts'
import { dayMs, hourMs } from '#time/time-steps.ts'
import { readHealthSteps } from './health-steps.ts'
import { readReleaseHealth } from './health.ts'
import type { HealthPeriod } from './records.ts'

const none = { healthy: 0, errored: 0, unhandled: 0, abnormal: 0, crashed: 0 }

function bucket(fields: Partial<SessionBucketRecord>, counts: Partial<SessionBucketRecord['counts']>) {
  const place = { projectId: 1, release: 'web@2', environment: 'production', startedAt: testNow }
  return { kind: 'bucket', ...place, ...fields, counts: { ...none, ...counts } } as const
}

/** Two releases of project 1, in two environments, over three days; and one of project 2. */
async function openWithSessions() {
  const store = await openTestStore()
  const sessions = [
    bucket({ userKey: 'did:1' }, { healthy: 6, crashed: 2 }),
    bucket({ userKey: 'did:2', startedAt: testNow - hourMs }, { healthy: 1, errored: 1 }),
    bucket({ environment: 'staging', userKey: 'did:1' }, { healthy: 10 }),
    bucket({ startedAt: testNow - 2 * dayMs, userKey: 'did:2' }, { healthy: 3, unhandled: 1, abnormal: 1 }),
    bucket({ release: 'web@1' }, { healthy: 30 }),
    bucket({ release: 'web@1', environment: 'qa' }, { healthy: 50 }),
    bucket({ projectId: 2 }, { healthy: 1_000 }),
  ]
  await createCommitter(store).commit({
    events: [],
    outcomes: [],
    deadLetters: [],
    sessions: sessions.map(toSessionItem),
  })
  const readView = (period: HealthPeriod, environment?: string) => {
    const inEnvironment = environment === undefined ? {} : { environment }
    return readHealthSteps(store.db, {
      projectId: 1,
      version: 'web@2',
      period,
      now: testNow,
      ...inEnvironment,
    })
  }
  return { store, readView }
}

describe('the health of a list of releases', () => {
  const releases = [
    { version: 'web@2', project: { id: 1 } },
    { version: 'web@1', project: { id: 1 } },
    { version: 'web@0', project: { id: 1 } },
  ]

  it('is that of each in its own project, with all sessions of that project', async () => {
    const { store } = await openWithSessions()
    const health = await readReleaseHealth(store.db, { releases, now: testNow })
    expect([...health.keys()].toSorted()).toEqual(['1 web@1', '1 web@2'])
    const { hours24, ...web2 } = health.get('1 web@2') ?? { hours24: [] }
    expect(web2).toEqual({
      sessionCount: 25,
      erroredCount: 3,
      crashedCount: 2,
      // One of them in two environments.
      userCount: 3,
      crashedUserCount: 1,
      projectSessionCount24h: 100,
    })
    expect(hours24.slice(-3)).toEqual([0, 2, 18])
  })

  it('can be that of one environment, in one read', async () => {
    const { store } = await openWithSessions()
    const health = await readReleaseHealth(store.db, { releases, now: testNow, environment: 'staging' })
    expect([...health.keys()]).toEqual(['1 web@2'])
    expect(health.get('1 web@2')).toMatchObject({ sessionCount: 10, projectSessionCount24h: 10 })
    expect((await readReleaseHealth(store.db, { releases: [], now: testNow })).size).toBe(0)
  })
})

describe('the health of one release', () => {
  it('has daily steps with users, and totals', async () => {
    const { readView } = await openWithSessions()
    const view = await readView('14d')
    expect(view).toMatchObject({
      environments: ['production', 'staging'],
      total: {
        counts: { healthy: 20, errored: 1, unhandled: 1, abnormal: 1, crashed: 2 },
        userCount: 3,
        crashedUserCount: 1,
      },
      sessionCount24h: 20,
      projectSessionCount24h: 100,
    })
    expect(view.steps).toHaveLength(14)
    expect(view.steps.slice(-3)).toEqual([
      {
        counts: { ...none, healthy: 3, unhandled: 1, abnormal: 1 },
        userCount: 1,
        crashedUserCount: 0,
        projectSessionCount: 5,
      },
      { counts: none, userCount: 0, crashedUserCount: 0, projectSessionCount: 0 },
      {
        counts: { ...none, healthy: 17, errored: 1, crashed: 2 },
        userCount: 3,
        crashedUserCount: 1,
        projectSessionCount: 100,
      },
    ])
  })

  it('has hourly steps without users', async () => {
    const { readView } = await openWithSessions()
    const { steps, since, stepMs } = await readView('24h')
    expect([since + steps.length * stepMs, stepMs]).toEqual([testNow + hourMs / 2, hourMs])
    expect(steps.slice(-2)).toEqual([
      {
        counts: { ...none, healthy: 1, errored: 1 },
        userCount: 0,
        crashedUserCount: 0,
        projectSessionCount: 2,
      },
      {
        counts: { ...none, healthy: 16, crashed: 2 },
        userCount: 0,
        crashedUserCount: 0,
        projectSessionCount: 98,
      },
    ])
  })

  it('is that of one environment, with its own and the project’s sessions', async () => {
    const { readView } = await openWithSessions()
    expect(await readView('90d', 'staging')).toMatchObject({
      environment: 'staging',
      environments: ['production', 'staging'],
      total: { counts: { ...none, healthy: 10 }, userCount: 1 },
      sessionCount24h: 10,
      projectSessionCount24h: 10,
    })
    expect(await readView('90d', 'nowhere')).toMatchObject({
      total: { counts: none },
      projectSessionCount24h: 0,
    })
  })
})
