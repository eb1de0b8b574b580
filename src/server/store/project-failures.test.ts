import { expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { createLog } from '#server/log.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { everyTenMinutes } from '#test/monitor-clock.ts'
import { entryOf, makeEventRecord, openTestStore, testNow } from '#test/test-store.ts'
import { minuteMs } from '#time/time-steps.ts'
import { listWaitingTransitions } from './alerts/queue.ts'
import { StoreUnavailableError } from './errors.ts'
import { applyQueue, endDueSlots } from './monitors/apply.ts'
import { listSignals } from './monitors/signals.ts'
import { createFailureLog, noFailures, ProjectFailures } from './project-failures.ts'

async function failIn(projectId: number) {
  const reported: [unknown, number][] = []
  const failures = new ProjectFailures((error, id) => void reported.push([error, id]))
  const error = new Error('a bug')
  expect(await failures.attempt(projectId, () => Promise.reject(error))).toBeUndefined()
  expect(reported).toEqual([[error, projectId]])
  return failures
}

it('reports an unexpected error with its project, and throws that the store is not available', async () => {
  const failures = await failIn(1)
  expect([failures.has(1), failures.has(2), failures.projectIds]).toEqual([true, false, [1]])
  expect(await failures.attempt(2, () => Promise.resolve('done'))).toBe('done')
  const unavailable = new StoreUnavailableError('FULL')
  await expect(failures.attempt(2, () => Promise.reject(unavailable))).rejects.toBe(unavailable)
  expect(failures.has(2)).toBe(false)
  await expect(noFailures.attempt(2, () => Promise.reject(new Error('a bug')))).rejects.toThrow('a bug')
})

it('the log has an error of each project once a minute', () => {
  const lines: object[] = []
  let now = 0
  const log = { ...createLog('silent'), error: (facts: object) => void lines.push(facts) }
  const logFailure = createFailureLog(log, 'failed', () => now)
  const error = new Error('a bug')
  for (; now < 2 * minuteMs; now += 1_000) for (const projectId of [1, 2]) logFailure(error, projectId)
  const [one, two] = [1, 2].map((project) => ({ err: error, project }))
  expect(lines).toEqual([one, two, one, two])
})

it('statements leave out the queues of projects that have failed', async () => {
  const store = await openTestStore()
  const committer = createCommitter(store)
  const config = { ok: true, settings: everyTenMinutes } as const
  const checkIn = { slug: 'nightly', environment: 'production', status: 'error', config } as const
  for (const projectId of [1, 2])
    await committer.commit({
      ...entryOf(makeEventRecord({ projectId })),
      checkIns: [{ projectId, receivedAt: testNow, checkIn }],
    })
  const failures = await failIn(1)
  const { waiting } = await listWaitingTransitions(store.db, { limit: 100, failures })
  expect(new Set(waiting.map(({ projectId }) => projectId))).toEqual(new Set([2]))
  const step = { now: testNow, gaps: [] }
  expect(await applyQueue(store, { ...step, failures })).toBe(1)
  expect(await applyQueue(store, { ...step, failures })).toBe(0)
  expect(await applyQueue(store, { ...step, failures: noFailures })).toBe(1)
  const projectsOf = async (of: ProjectFailures) =>
    (await listSignals(store.db, of)).signals.map(({ monitor }) => monitor.projectId)
  expect([await projectsOf(failures), await projectsOf(noFailures)]).toEqual([[2], [1, 2]])
  const due = { now: testNow + 20 * minuteMs + limits.monitorSettleMs, gaps: [] }
  expect(await endDueSlots(store, { ...due, failures })).toBe(1)
})
