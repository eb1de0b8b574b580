/**
 * The response times of the console with a million events of 20,000 issues in the store: the first byte of
 * every screen, requested one after another with a session; and in Chromium the time from a click to the
 * painted issue, with and without prefetching, and from each of 31 keys that triage twenty issues to its
 * effect on the screen. The store is filled first, or read from a data directory that `fill` created (its
 * file is changed: an account and a trace of every visit are added).
 *
 * npm run bench -- console [DATA_DIR]          BENCH_EVENTS=100000 for a small store
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { openDataDir } from '#server/data-dir/open.ts'
import { buildConsole } from '#test/built-console.ts'
import { startServerProcess } from '#test/server-process.ts'
import { addUser, cookieOf } from '#test/session.ts'
import { createTempDir } from '#test/temp-dir.ts'
import { measureFirstBytes } from './console/first-bytes.ts'
import { inBrowser, measureNavigation } from './console/navigation.ts'
import { measureTriage } from './console/triage.ts'
import { fillStore } from './reads/fill-store.ts'
import { benchProject } from './support/project.ts'

/** Runs the whole benchmark and prints two tables. */
export async function runConsoleBench(): Promise<void> {
  await buildConsole()
  const given = process.argv[3]
  if (given !== undefined) return measureConsole(given)
  const folder = await createTempDir()
  try {
    const eventCount = Number(process.env['BENCH_EVENTS'] ?? 1_000_000)
    console.log(`filling a store with ${eventCount.toLocaleString('en')} events of 20,000 issues`)
    await fillStore({ path: join(folder.path, 'culvert.db'), eventCount, issueCount: 20_000 })
    console.log(`${(statSync(join(folder.path, 'culvert.db')).size / 1e9).toFixed(2)} GB`)
    await measureConsole(folder.path)
  } finally {
    await folder.remove()
  }
}

async function measureConsole(dataDir: string): Promise<void> {
  const screens = await prepareScreens(dataDir)
  const server = await startServerProcess({ dataDir, args: [] })
  try {
    const cookie = await cookieOf(server.origin)
    const { origin } = server
    const rows = await measureFirstBytes({ origin, cookie, screens })
    console.table(rows)
    console.table(await measureNavigation({ origin, cookie }))
    console.table(await inBrowser({ origin, cookie }, (page) => measureTriage(page, origin)))
  } finally {
    await server.end('SIGTERM')
  }
}

/**
 * Creates the account, unless an earlier run did, and lists the address of every screen for the contents of
 * the store.
 */
async function prepareScreens(dataDir: string): Promise<string[]> {
  const opened = await openDataDir({ dataDir, clock: Date.now, setsDamageAside: false })
  const { store } = opened
  const one = (sql: string) => String(store.connection.prepare(sql).get()?.['it'] ?? '')
  if (one('SELECT count(*) AS it FROM users') === '0') await addUser(store)
  const busy = one('SELECT id AS it FROM issues ORDER BY event_count DESC LIMIT 1')
  const quiet = one('SELECT id AS it FROM issues WHERE event_count > 1 ORDER BY event_count LIMIT 1')
  const event = one('SELECT lower(hex(event_id)) AS it FROM events ORDER BY occurred_at DESC LIMIT 1')
  const slug = one(`SELECT slug AS it FROM projects WHERE id = ${benchProject.id}`)
  const release = one('SELECT version AS it FROM releases LIMIT 1')
  await opened.close()
  return [
    '/issues',
    '/issues?sort=events',
    '/issues?sort=trend',
    `/issues?project=${slug}&environment=production`,
    `/issues?q=${encodeURIComponent('is:unresolved level:error browser.name:Firefox')}`,
    `/issues?q=${encodeURIComponent('timesSeen:>100 firstSeen:-30d')}`,
    '/issues?q=Issue17Error',
    `/issues/${busy}`,
    `/issues/${quiet}`,
    `/issues/${busy}/events`,
    `/events/${event}`,
    `/digest/${event}`,
    '/outcomes',
    '/outcomes/dead-letters',
    '/releases',
    ...(release === '' ? [] : [`/releases/${encodeURIComponent(release)}`]),
    '/tunnel',
    '/projects',
    `/projects/${slug}`,
    `/projects/${slug}/keys`,
    '/settings',
    '/settings/members',
    '/settings/system',
  ]
}
