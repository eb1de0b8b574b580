import { expect, it } from 'vitest'
import type { AlertThreshold } from '#alerts/rule.ts'
import { limits } from '#server/limits.ts'
import { recordAlertRule } from '#server/store/alerts/rules.ts'
import { prepareIngestStatements } from '#server/store/ingest/statements.ts'
import { countEvents } from '#server/store/issues/counters.ts'
import { userHash } from '#server/store/issues/id.ts'
import { createProject } from '#server/store/projects/projects.ts'
import { makeAlertRule } from '#test/alert-rule.ts'
import { onPostgres } from '#test/engine.ts'
import { openTestStore, testNow } from '#test/test-store.ts'
import { minuteMs } from '#time/time-steps.ts'
import { listFullWindows } from './full-windows.ts'
import { createWindowCounter } from './windows.ts'

/** A store whose rule watches every project, and a counter with a manual clock. */
async function openCounter(projectCount: number, of: AlertThreshold['of'] = 'events') {
  const time = { now: testNow }
  const store = await openTestStore({ clock: () => time.now })
  for (let id = 3; id <= projectCount; id += 1) await createProject(store, { id, name: `Project ${id}` })
  const threshold: AlertThreshold = { of, atLeast: 1_000_000, unit: 'count', windowMs: minuteMs }
  await recordAlertRule(store, {
    organizationId: 1,
    rule: makeAlertRule({ name: 'Many', transitions: ['threshold'], threshold }),
  })
  const startCounter = () => createWindowCounter(prepareIngestStatements(store).windows, () => time.now)
  let counter = startCounter()
  const event = { occurredAt: testNow, environment: 'production', userHash: undefined, tags: [] }
  let counters = countEvents([event])
  return {
    time,
    /** Simulates another process. */
    startAgain: () => {
      counter = startCounter()
    },
    /** Applies to each issue counted from now on. */
    haveUsers: (count: number) => {
      const userHashes = Array.from({ length: count }, (_, at) => userHash(`user ${at}`))
      counters = countEvents(userHashes.map((hash) => Object.assign({}, event, { userHash: hash })))
    },
    listFull: async () => [
      ...(await listFullWindows(store.db, { projectId: 1, thresholds: [threshold], now: time.now })),
    ],
    /** Counts an event of each of that many issues, in one transaction. */
    count: (projectId: number, issueCount: number) => {
      store.connection.exec('BEGIN IMMEDIATE')
      for (let issueId = 1; issueId <= issueCount; issueId += 1) counter.add({ projectId, issueId }, counters)
      store.connection.exec('COMMIT')
    },
    rows: (where = 'true') =>
      Number(store.connection.prepare(`SELECT count(*) AS n FROM alert_windows WHERE ${where}`).get()?.['n']),
  }
}

it('counts the first 10,000 issues of a bucket, and continues with those of the next one', async () => {
  const { time, count, rows } = await openCounter(2)
  count(1, limits.alertWatchedIssues + 20)
  expect(rows()).toBe(limits.alertWatchedIssues)
  // Watched issues are counted further.
  count(1, 1)
  expect([rows(), rows('event_count = 2')]).toEqual([limits.alertWatchedIssues, 1])
  count(2, 5)
  expect(rows('project_id = 2')).toBe(5)
  time.now += minuteMs / 12
  count(1, 30)
  expect(rows()).toBe(limits.alertWatchedIssues + 35)
})

it('counts users in half a megabyte of each bucket, and events beyond it, also in another process', async () => {
  const { time, count, rows, haveUsers, listFull, startAgain } = await openCounter(2, 'users')
  haveUsers(limits.alertWindowUsers)
  const issuesWithUsers = Math.ceil(limits.alertWindowUserBytes / (8 * limits.alertWindowUsers))
  expect(await listFull()).toEqual([])
  count(1, issuesWithUsers + 30)
  expect([rows(), rows('user_hashes IS NOT NULL')]).toEqual([issuesWithUsers + 30, issuesWithUsers])
  startAgain()
  count(1, issuesWithUsers + 40)
  expect([rows(), rows('user_hashes IS NOT NULL')]).toEqual([issuesWithUsers + 40, issuesWithUsers])
  // Another project has its own.
  count(2, 1)
  expect(rows('project_id = 2 AND user_hashes IS NOT NULL')).toBe(1)
  time.now += minuteMs / 12
  expect(await listFull()).toEqual([minuteMs])
  count(1, 1)
  expect(rows('user_hashes IS NOT NULL')).toBe(issuesWithUsers + 2)
  time.now += minuteMs / 12
  expect(await listFull()).toEqual([])
})

// On PostgreSQL the same code counts, and that many rows take a minute.
it.skipIf(onPostgres)('counts 200,000 issues of all projects, and others after the bucket', async () => {
  const projectCount = limits.alertWatchedIssuesInAll / limits.alertWatchedIssues
  const { time, count, rows } = await openCounter(projectCount + 1)
  for (let id = 1; id <= projectCount; id += 1) count(id, limits.alertWatchedIssues)
  count(projectCount + 1, 10)
  expect([rows(), rows(`project_id = ${projectCount + 1}`)]).toEqual([limits.alertWatchedIssuesInAll, 0])
  // Rules are read again, and past twelfths are dropped.
  time.now += minuteMs / 12
  count(projectCount + 1, 10)
  expect(rows(`project_id = ${projectCount + 1}`)).toBe(10)
})
