import { expect, it } from 'vitest'
import { parseSearch } from '#search/parse-search.ts'
import { toExpression } from '#search/search-expression.ts'
import { createCommitter } from '#server/store/committer.ts'
import { issueStatuses } from '#server/store/issue-views.ts'
import { copyIssue } from '../../../../test/support/issue-copies.ts'
import {
  makeEventRecord,
  openTestStore,
  testNow,
  workOf,
  type TestStore,
} from '../../../../test/support/test-store.ts'
import { listIssues } from './issue-list.ts'

const issueCount = 20_000
/** Milliseconds of CPU between two turns of the event loop: what else the machine does must not count. */
const holdMs = 100

const repeat = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => part(index))
const letter = (index: number) => String.fromCodePoint(97 + index)

/** Searches that read as much as they can: 20 parts each, which few issues fulfil or all. */
const searches = {
  prefixes: repeat(20, (index) => `k${index}:v*`),
  'prefixes of one key': repeat(20, () => 'transaction:/t*'),
  'values that all have': repeat(20, (index) => `k${index}:value`),
  'negated prefixes, then a miss': [...repeat(19, (index) => `!k${index}:nope*`), 'level:fatal'],
  'wildcards over many values': repeat(20, (index) => `!wide:*z${letter(index)}*`),
  'words of one letter': repeat(20, letter),
  'words that all have': repeat(20, () => 'function'),
  'negated words, then a miss': [...repeat(19, (index) => `!zz${letter(index)}`), 'level:fatal'],
  'one of 20': [repeat(20, (index) => `k${index}:zz*`).join(' OR ')],
  'one of 20, anywhere': [repeat(20, (index) => `*z${letter(index)}*`).join(' OR ')],
  'none of 20': [`!(${repeat(20, (index) => `k${index}:v*`).join(' OR ')})`],
  'ten of two': repeat(10, (index) => `(k${index}:zz* OR wide:*z${letter(index)}*)`),
  parentheses: [`${'('.repeat(100)}k0:v*${')'.repeat(100)}`, ...repeat(19, (index) => `!k${index}:zz*`)],
  lists: repeat(10, (index) => `k${index}:[a, b, c, d, e*, *f*]`),
  stacks: repeat(20, (index) => `!stack.function:*z${letter(index)}*`),
  times: repeat(20, (index) => `!timestamp:2020-01-${String(index + 1).padStart(2, '0')}`),
}

/** Many issues with many tags: more than any of the searches may read at once. */
async function openLargeStore(): Promise<TestStore> {
  const store = await openTestStore()
  await createCommitter(store).commit(workOf(makeEventRecord()))
  copyIssue(store.sqlite, 1, issueCount)
  store.sqlite.exec(`
    WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 19)
      INSERT INTO issue_tags SELECT project_id, id, 'k' || i, 'value', 1, 0 FROM n, issues WHERE number % 4 = 0;
    WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999)
      INSERT INTO issue_tags SELECT project_id, id, 'wide', 'value-' || i, 1, 0 FROM n, issues WHERE number % 100 = 0;
    INSERT INTO issue_texts (rowid, title, value, culprit, message)
      SELECT id, title, subtitle, culprit, 'a b c d e f g h i j k l m n o p q r s t' FROM issues WHERE number > 1;`)
  return store
}

it('a search of 20 parts holds the event loop for less than 100 ms, whatever it asks', async () => {
  const store = await openLargeStore()
  const held: Record<string, number> = {}
  for (const [name, parts] of Object.entries(searches)) {
    const parsed = parseSearch(parts.join(' '))
    expect({ name, problems: parsed.problems }).toEqual({ name, problems: [] })
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
    held[name] = await watch.stop()
  }
  expect(Object.entries(held).filter(([, ms]) => ms >= holdMs)).toEqual([])
}, 120_000)

/** The longest time of CPU between two turns of the event loop. */
function watchEventLoop() {
  let longestMs = 0
  let isWatching = true
  let last = cpuMs()
  const look = () => {
    const now = cpuMs()
    longestMs = Math.max(longestMs, now - last)
    last = now
    if (isWatching) setImmediate(look)
  }
  setImmediate(look)
  return {
    async stop(): Promise<number> {
      await new Promise((resolve) => void setImmediate(resolve))
      isWatching = false
      return longestMs
    },
  }
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
