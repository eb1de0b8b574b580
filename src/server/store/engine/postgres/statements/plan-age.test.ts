import { expect, it } from 'vitest'
import type { Store } from '#server/store/store.ts'
import { onPostgres } from '#test/engine.ts'
import { makeEventRecord, openTestStore, testId } from '#test/test-store.ts'
import { PlanAge } from './plan-age.ts'

it('plans are made again whenever the number of transactions has doubled', () => {
  const age = new PlanAge()
  const renewed = Array.from({ length: 40 }, (_, at) => (age.begin() ? at + 1 : 0)).filter(Boolean)
  expect(renewed).toEqual([2, 3, 5, 9, 17, 33])
})

it.skipIf(!onPostgres)('an event is found by its primary key in a table that was empty', async () => {
  const store = await openTestStore()
  const commit = (names: string[]) =>
    Promise.all(names.map((name) => store.commit(makeEventRecord({ eventId: testId(name) }))))
  await commit(['a', 'b'])
  store.connection.exec(
    `INSERT INTO events (project_id, event_id, issue_id, block_id, block_offset, block_length, occurred_at,
       received_at, level, environment)
     SELECT 1, decode(md5(n::text), 'hex'), 1, 1, 0, 1, n, n, 'error', 'production' FROM generate_series(1, 5000) AS n`,
  )
  for (const names of [
    ['c', 'd'],
    ['e', 'f'],
  ])
    await commit(names)
  const plan = await explainKept(store, '%LATERAL (SELECT 1 FROM events %')
  expect(plan).toContain('events_pkey')
})

/** The cached plan of the connection for a prepared statement with two parameters. */
async function explainKept({ connection, writeGate }: Store, pattern: string): Promise<string> {
  const wanted = { first: [1], others: [], isFirstOverdue: false, withDeltas: false, suffices: () => true }
  await writeGate.begin(
    () => false,
    () => wanted,
  )
  try {
    const prepared = connection
      .prepare('SELECT name FROM pg_prepared_statements WHERE statement LIKE ?')
      .get(pattern)
    const rows = connection
      .prepare(`EXPLAIN EXECUTE ${String(prepared?.['name'])} ('{1}', '{"\\\\x00"}')`)
      .all()
    return rows.map((row) => String(row['QUERY PLAN'])).join('\n')
  } finally {
    connection.exec('ROLLBACK')
  }
}
