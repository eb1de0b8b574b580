import { join } from 'node:path'
import type { AlertRule, AlertThreshold } from '#alerts/rule.ts'
import { bucketOf } from '#alerts/threshold.ts'
import { recordAlertRule } from '#server/store/alerts/rules.ts'
import { compareThresholds } from '#server/store/alerts/thresholds/thresholds.ts'
import { addUserHashes } from '#server/store/alerts/thresholds/window-users.ts'
import type { SqlInput } from '#server/store/engine/connection.ts'
import { userHash } from '#server/store/issues/id.ts'
import { createProject } from '#server/store/projects/projects.ts'
import { openStore, type Store } from '#server/store/store.ts'
import { watchEventLoop } from '#test/event-loop-watch.ts'
import { createPostgresDatabase } from '#test/postgres-database.ts'
import { createTempDir } from '#test/temp-dir.ts'
import { minuteMs } from '#time/time-steps.ts'
import { toMedian } from '../support/median.ts'

const rounds = 15
const windowMs = minuteMs

interface Comparison {
  of: AlertThreshold['of']
  issues: number
  /** Per issue and twelfth of the window. */
  users: number
}

const comparisons: Comparison[] = [
  { of: 'events', issues: 100, users: 0 },
  { of: 'events', issues: 1_000, users: 0 },
  { of: 'events', issues: 10_000, users: 0 },
  // More users are not counted: `limits.alertWindowUserBytes`.
  { of: 'users', issues: 1_000, users: 62 },
  { of: 'users', issues: 122, users: 512 },
]

/**
 * Prints how long comparisons of two whole windows take, and how long they block the event loop at a time.
 * With `DATABASE_URL` also on that PostgreSQL server.
 */
export async function measureComparisons(rule: (threshold: AlertThreshold) => AlertRule): Promise<void> {
  const server = process.env['DATABASE_URL']
  for (const each of comparisons) {
    const folder = await createTempDir()
    await measure(join(folder.path, 'culvert.db'), each, rule)
    await folder.remove()
    if (server === undefined) continue
    const { url, drop } = await createPostgresDatabase(server)
    await measure(url, each, rule)
    await drop()
  }
}

async function measure(
  path: string,
  { of, issues, users }: Comparison,
  rule: (threshold: AlertThreshold) => AlertRule,
): Promise<void> {
  const store = await openStore({ path, clock: Date.now })
  await createProject(store, { id: 1, name: 'Shop', isBuiltIn: true })
  // Half of the events are in the window, so each issue has to be read.
  const atLeast = of === 'events' ? 24 : 24 * users
  await recordAlertRule(store, {
    organizationId: 1,
    projectId: 1,
    rule: rule({ of, atLeast, unit: 'count', windowMs }),
  })
  const now = Date.now()
  const before = store.engine.readSize().usedBytes
  fillWindows(store, { issues, users, now })
  const megabytes = (store.engine.readSize().usedBytes - before) / 1e6
  const tookMs: number[] = []
  const heldMs: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const watch = watchEventLoop()
    const startedAt = performance.now()
    await compareThresholds(store, { now, lastRuns: new Map() })
    tookMs.push(performance.now() - startedAt)
    heldMs.push(await watch.stop())
  }
  console.log(
    `${store.engine.name}, ${issues} issues, ${of}${users === 0 ? '' : `, ${users} in each twelfth`}: ${toMedian(tookMs).toFixed(1)} ms to compare, ` +
      `at most ${toMedian(heldMs).toFixed(1)} ms of CPU in one tick of the event loop; ${megabytes.toFixed(1)} MB of counts in the database`,
  )
  await store.close()
}

function fillWindows(
  store: Store,
  { issues, users, now }: { issues: number; users: number; now: number },
): void {
  const insert = store.engine.prepareWrite(
    'INSERT INTO alert_windows (project_id, window_ms, bucket_at, issue_id, event_count, user_hashes) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const hashes = Array.from({ length: 16 }, (_, group) =>
    users === 0
      ? null
      : (addUserHashes(
          undefined,
          Array.from({ length: users }, (_each, at) => userHash(`${group} ${at}`)),
        ) ?? null),
  )
  store.connection.exec('BEGIN IMMEDIATE')
  for (let bucket = 0; bucket < 24; bucket += 1)
    for (let issue = 0; issue < issues; issue += 1) {
      const bucketAt = bucketOf(windowMs, now) - bucket * (windowMs / 12)
      const row: SqlInput[] = [1, windowMs, bucketAt, 1e15 + issue * 1e9, 1, hashes[bucket % 16] ?? null]
      insert.run(...row)
    }
  store.connection.exec('COMMIT')
}
