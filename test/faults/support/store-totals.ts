import { join } from 'node:path'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { openStore, type Store } from '#server/store/store.ts'
import { findWrongUpstreamSums } from '#server/store/upstreams/sums.ts'
import { fixtureProject } from '#test/start-server.ts'
import { storedEventIds } from '#test/stored-events.ts'
import type { StoreTotals } from './ledger.ts'

/** Opens the store of a data directory, like the next start, and reads the totals of `fixtureProject`. */
export async function readStoreTotals(dataDir: string): Promise<StoreTotals> {
  const store = await openStore({ path: join(dataDir, 'culvert.db') })
  try {
    // Folds the deltas that the ended process left.
    await createCommitter(store).drain()
    return await readTotals(store)
  } finally {
    await store.close()
  }
}

/** The totals of an open store. PostgreSQL checks its files itself. */
export async function readTotals(store: Store): Promise<StoreTotals> {
  const sum = (sql: string) => Number(store.connection.prepare(sql).get(fixtureProject.id)?.['n'])
  // The merged issues count their own events, too.
  const ofIssues =
    'project_id = ? AND issue_id IN (SELECT id FROM issues i WHERE i.project_id = c.project_id)'
  const counters = {
    issues: sum('SELECT sum(event_count) AS n FROM issues WHERE project_id = ?'),
    issue_hours: sum(`SELECT sum(event_count) AS n FROM issue_hours c WHERE ${ofIssues}`),
    issue_tags: sum(`SELECT sum(event_count) AS n FROM issue_tags c WHERE ${ofIssues} AND key = 'level'`),
    environments: sum('SELECT sum(event_count) AS n FROM environments WHERE project_id = ?'),
    body_blocks: sum('SELECT sum(event_count) AS n FROM body_blocks WHERE project_id = ?'),
    accepted: sum(
      "SELECT sum(quantity) AS n FROM outcome_hours WHERE project_id = ? AND outcome = 'accepted'",
    ),
  }
  const integrity =
    store.engine.name === 'PostgreSQL'
      ? 'ok'
      : String(store.connection.prepare('PRAGMA integrity_check').get()?.['integrity_check'])
  const wrongUpstreamSums = findWrongUpstreamSums(store.connection)
  return { ids: await storedEventIds(store, fixtureProject.id), counters, wrongUpstreamSums, integrity }
}
