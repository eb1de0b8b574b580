import type { Store } from '#server/store/store.ts'
import { createEventRemoval } from './expiry/event-removal.ts'
import type { ExpiryRun } from './expiry/run.ts'
import { readNextBlock } from './expiry/walked-block.ts'
import { hasRows } from './row-deletion.ts'
import { expiryOf } from './run-report.ts'
import { createSurvivorPack } from './space/survivor-pack.ts'

/** True while events of deleted issues are still on disk. */
export function hasDeletedIssues({ connection }: Store): boolean {
  return connection.prepare('SELECT 1 FROM expired_issues WHERE has_events = 1 LIMIT 1').get() !== undefined
}

/**
 * Deletes the events of issues that users have deleted, block by block. The rest of a block is compressed
 * again, so that no payload outlives its row. An interruption at any moment leaves a consistent database, and
 * the next run continues.
 */
export async function deleteEventsOfDeletedIssues(run: ExpiryRun): Promise<void> {
  if (!(await hasRows(run, { table: 'expired_issues', where: 'has_events = 1' }, []))) return
  const { connection } = run.store
  const nextIssue = connection.prepare(
    'SELECT issue_id FROM expired_issues WHERE has_events = 1 AND project_id = ? ORDER BY issue_id LIMIT 1',
  )
  const nextEvent = connection.prepare(
    'SELECT block_id FROM events WHERE project_id = ? AND issue_id = ? LIMIT 1',
  )
  const setDone = connection.prepare(
    'UPDATE expired_issues SET has_events = 0 WHERE project_id = ? AND issue_id = ?',
  )
  const deleteNext = (projectId: number) => {
    const issue = nextIssue.get(projectId)
    if (issue === undefined) return true
    const issueId = Number(issue['issue_id'])
    const event = nextEvent.get(projectId, issueId)
    if (event === undefined) setDone.run(projectId, issueId)
    else deleteFromBlock(run, { projectId, issueId, blockId: Number(event['block_id']) })
    return false
  }
  const rows = connection
    .prepare('SELECT DISTINCT project_id FROM expired_issues WHERE has_events = 1 ORDER BY project_id')
    .all()
  for (const row of rows) {
    const projectId = Number(row['project_id'])
    await run.failures.attempt(projectId, () => run.pacer.repeat(() => deleteNext(projectId)))
  }
}

interface DeletedPart {
  projectId: number
  issueId: number
  blockId: number
}

function deleteFromBlock(run: ExpiryRun, { projectId, issueId, blockId }: DeletedPart): void {
  const block = readNextBlock(run.statements, { projectId, position: blockId - 1 }, blockId + 1)
  const removal = createEventRemoval(run, { projectId, reason: 'deleted' })
  const pack = createSurvivorPack(run, projectId)
  const { events = [] } = block ?? {}
  const [gone = [], survivors = []] = [true, false].map((isGone) =>
    events.filter((event) => (event.issueId === issueId) === isGone),
  )
  removal.remove(gone)
  expiryOf(run.report, projectId).events.deleted += gone.length
  if (survivors.length === 0) run.statements.deleteBlock.run(projectId, blockId)
  else if (block !== undefined) pack.add(block, survivors)
  pack.write()
  removal.finish()
}
