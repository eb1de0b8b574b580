import { expect, it } from 'vitest'
import type { SessionReport } from '#server/store/sessions/record.ts'
import type { Store } from '#server/store/store.ts'
import { openKeptStore } from '#test/kept-store.ts'
import { toSessionItem } from '#test/session-item.ts'
import { testId, testNow } from '#test/test-store.ts'
import { makeSegment, makeTraceRecord } from '#test/trace-store.ts'
import { dayMs } from '#time/time-steps.ts'
import { deleteOldChunks } from './artifacts.ts'
import { deleteEventsOfDeletedIssues } from './deleted-issues.ts'
import { deleteEndedAccess } from './ended-access.ts'
import { deleteRowsOfExpiredIssues } from './expiry/expired-issues.ts'
import { expireByAge, expireByCount } from './expiry/expiry.ts'
import { createExpiryRun, type ExpiryRun } from './expiry/run.ts'
import { deleteOldDeliveries } from './old-deliveries.ts'
import { deleteOldRows } from './old-rows.ts'
import { createPacer, type Pacer } from './pacer.ts'
import { listProjectLimits } from './project-limits.ts'
import { deleteRows, readRows } from './row-deletion.ts'
import { createReport } from './run-report.ts'
import { thinTraces } from './traces/thinning.ts'

it('retention does not wait for another writer if there is nothing to delete', async () => {
  const { store, receive, commit } = await openKeptStore()
  await receive({ release: 'web@1' })
  const segment = makeTraceRecord(makeSegment('a'), { receivedAt: testNow })
  await commit({ events: [], outcomes: [], deadLetters: [], traces: [segment] })
  const report: SessionReport = {
    kind: 'session',
    projectId: 1,
    release: 'web@1',
    environment: 'production',
    startedAt: testNow,
    userKey: 'id:1',
    sid: testId('session'),
    seq: 1,
    isFirst: true,
    state: 'healthy',
  }
  await commit({ events: [], outcomes: [], deadLetters: [], sessions: [toSessionItem(report)] })
  const run = openRun(store)
  const rows = {
    table: 'inbox_items',
    key: ['issue_id', 'user_id', 'id'],
    where: 'project_id = ? AND at < ?',
    rowsPerStatement: 10,
  }
  const projects = await listProjectLimits(store.db, testNow)
  const other = await store.openAgain()
  const steps = await other.writer.transaction().execute(async () => {
    await deleteRows(run, rows, [1, testNow])
    await deleteOldDeliveries(run)
    await deleteEndedAccess(run)
    await deleteOldChunks(run)
    await deleteEventsOfDeletedIssues(run)
    await deleteRowsOfExpiredIssues(run)
    for (const project of projects) {
      await expireByAge(run, project)
      await deleteOldRows(run, project)
      await expireByCount(run, project)
      await thinTraces(run, project, [1, 2])
    }
    return 'done'
  })
  expect(steps).toBe('done')
})

it('rows that other writers have changed since they were read are not deleted', async () => {
  const { store, receive, count } = await openKeptStore()
  await receive({ release: 'web@1' }, { release: 'web@2' })
  store.connection.exec('UPDATE releases SET last_seen_at = 0')
  const run = openRun(store)
  const slice: Pacer['slice'] = (work) => {
    // An event of the release arrives between the read and the deletion.
    store.connection.exec(`UPDATE releases SET last_seen_at = ${testNow} WHERE version = 'web@1'`)
    return run.pacer.slice(work)
  }
  const changed = { ...run, pacer: { ...run.pacer, slice } }
  await deleteOldRows(changed, { projectId: 1, cutoffAt: testNow - 90 * dayMs })
  expect(count('releases')).toBe(1)
})

it('rows are read in a slice if the read fails', async () => {
  const { store, receive } = await openKeptStore()
  await receive({})
  const run = openRun(store)
  const failing = { ...run, pacer: { ...run.pacer, read: rejectRead } }
  expect(await readRows(failing, 'SELECT id FROM issues WHERE project_id = ?', [1])).toHaveLength(1)
})

const rejectRead: Pacer['read'] = () => Promise.reject(new Error('timed out'))

function openRun(store: Store): ExpiryRun {
  const pacer = createPacer({ store, signal: new AbortController().signal, isReadOnly: false })
  const report = createReport({ isDryRun: false, isClockTrusted: true, usedBytesBefore: 0 })
  return createExpiryRun({ store, pacer, isDryRun: false, report })
}
