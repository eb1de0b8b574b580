import { expect, it } from 'vitest'
import { openKeptStore } from '#test/kept-store.ts'
import { testNow } from '#test/test-store.ts'
import { deleteOldChunks } from './artifacts.ts'
import { deleteEventsOfDeletedIssues } from './deleted-issues.ts'
import { deleteEndedSessions } from './ended-sessions.ts'
import { deleteRowsOfExpiredIssues } from './expiry/expired-issues.ts'
import { createExpiryRun } from './expiry/run.ts'
import { deleteOldDeliveries } from './old-deliveries.ts'
import { createPacer } from './pacer.ts'
import { deleteRows } from './row-deletion.ts'
import { createReport } from './run-report.ts'

it('the deletion of rows does not wait for another writer if there are none', async () => {
  const { store } = await openKeptStore()
  const pacer = createPacer({ store, signal: new AbortController().signal, isReadOnly: false })
  const report = createReport({ isDryRun: false, isClockTrusted: true, usedBytesBefore: 0 })
  const run = createExpiryRun({ store, pacer, isDryRun: false, report })
  const rows = {
    table: 'inbox_items',
    key: ['issue_id', 'user_id', 'id'],
    where: 'project_id = ? AND at < ?',
    rowsPerStatement: 10,
  }
  const other = await store.openAgain()
  const steps = await other.writer.transaction().execute(async () => {
    await deleteRows(run, rows, [1, testNow])
    await deleteOldDeliveries(run)
    await deleteEndedSessions(run)
    await deleteOldChunks(run)
    await deleteEventsOfDeletedIssues(run)
    await deleteRowsOfExpiredIssues(run)
    return 'done'
  })
  expect(steps).toBe('done')
})
