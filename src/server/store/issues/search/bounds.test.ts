import { expect, it } from 'vitest'
import { toExpression } from '#search/expression.ts'
import { parseSearch } from '#search/parse-search.ts'
import { issueStatuses } from '#server/store/issues/records.ts'
import { onPostgres } from '#test/engine.ts'
import { watchEventLoop } from '#test/event-loop-watch.ts'
import { fillForSearches, hostileSearches } from '#test/hostile-searches.ts'
import { makeEventRecord, openTestStore, testNow } from '#test/test-store.ts'
import { listIssues } from './issue-list.ts'

// PostgreSQL searches in its own process; this one only builds the page, for any number of issues.
const issueCount = onPostgres ? 1_000 : 20_000
const holdMs = 100

it('a search of 20 terms blocks the event loop for less than 100 ms', async () => {
  const store = await openTestStore()
  await store.commit(makeEventRecord())
  fillForSearches(store, 1, issueCount)
  const held: Record<string, number> = {}
  for (const [name, parts] of Object.entries(hostileSearches)) {
    const parsed = parseSearch(parts.join(' '))
    expect({ name, problems: parsed.problems }).toEqual({ name, problems: [] })
    const search = async () => {
      const watch = watchEventLoop()
      await listIssues(store.db, {
        expression: toExpression(parsed),
        projects: [{ id: 1, slug: 'web' }],
        statuses: issueStatuses,
        sort: 'last_seen',
        bars: '24h',
        userId: 'ada',
        limit: 50,
        now: testNow,
      })
      return watch.stop()
    }
    // Other load of the machine only adds to the time, so the shortest of several runs measures the search
    // itself.
    const runs = [await search()]
    while (Math.min(...runs) >= holdMs && runs.length < 5) runs.push(await search())
    held[name] = Math.min(...runs)
  }
  expect(Object.entries(held).filter(([, ms]) => ms >= holdMs)).toEqual([])
}, 120_000)
