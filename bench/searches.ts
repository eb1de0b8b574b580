/**
 * How long searches of 20 parts block the event loop, in a store of 100,000 issues and 1.5 million tags:
 * their total time, and the longest CPU time between two ticks of the event loop, which tests limit. Medians
 * of five.
 *
 * npm run bench -- searches [ISSUES]
 */
import { join } from 'node:path'
import { toExpression } from '#search/expression.ts'
import { parseSearch } from '#search/parse-search.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { issueStatuses } from '#server/store/issues/records.ts'
import { listIssues } from '#server/store/issues/search/issue-list.ts'
import { createProject } from '#server/store/projects/projects.ts'
import { openStore, type Store } from '#server/store/store.ts'
import { watchEventLoop } from '#test/event-loop-watch.ts'
import { fillForSearches, hostileSearches } from '#test/hostile-searches.ts'
import { createTempDir } from '#test/temp-dir.ts'
import { toMedian } from './support/median.ts'

const rounds = 5

/** Runs the benchmark and prints a table. */
export async function runSearchesBench(): Promise<void> {
  const issueCount = Number(process.argv[3] ?? 100_000)
  const folder = await createTempDir()
  const store = await openStore({ path: join(folder.path, 'culvert.db'), clock: Date.now })
  try {
    await createProject(store, { id: 1, name: 'Web' })
    await commitOne(store)
    fillForSearches(store, 1, issueCount)
    const plain = await measure(store, '')
    const rows = [{ search: 'none', ...plain }]
    for (const [search, parts] of Object.entries(hostileSearches))
      rows.push({ search, ...(await measure(store, parts.join(' '))) })
    console.table(rows)
  } finally {
    await store.close()
    await folder.remove()
  }
}

async function commitOne(store: Store): Promise<void> {
  const event = {
    projectId: 1,
    eventId: 'a'.repeat(32),
    category: 'error',
    groupHash: 'b'.repeat(32),
    mechanism: 'v1',
    type: 'error',
    title: 'TypeError',
    subtitle: 'x is not a function',
    culprit: 'render(app.js)',
    level: 'error',
    platform: 'javascript',
    occurredAt: Date.now(),
    receivedAt: Date.now(),
    environment: 'production',
    tags: [],
    payload: Buffer.from('{}'),
  } as const
  await createCommitter(store).commit({ events: [{ ...event, tags: [] }], outcomes: [], deadLetters: [] })
}

async function measure(
  store: Store,
  text: string,
): Promise<{ 'ms in all': number; 'ms of CPU at once': number }> {
  const expression = toExpression(parseSearch(text))
  const tookMs: number[] = []
  const heldMs: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const watch = watchEventLoop()
    const startedAt = performance.now()
    await listIssues(store.db, {
      expression,
      projects: [{ id: 1, slug: 'web' }],
      statuses: issueStatuses,
      sort: 'last_seen',
      bars: '24h',
      userId: '',
      limit: 50,
      now: Date.now(),
    })
    tookMs.push(performance.now() - startedAt)
    heldMs.push(await watch.stop())
  }
  return { 'ms in all': Math.round(toMedian(tookMs)), 'ms of CPU at once': Math.round(toMedian(heldMs)) }
}
