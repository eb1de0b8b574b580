/**
 * Culvert on a given data directory, with the store's reads behind plain URLs instead of the console, so that
 * the read is measured without rendering. Prints its address like the real server's log.
 *
 * node bench/reads/read-server.ts DATA_DIR
 *
 * With `DATABASE_URL` on that PostgreSQL database.
 */
import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import type { Viewer } from '#server/auth/viewer.ts'
import { listDigestView } from '#server/console/events/events.ts'
import { findIssueView } from '#server/console/issues/issues.ts'
import { listIssueView } from '#server/console/issues/stream.ts'
import { requireEnv } from '#server/env.ts'
import { answerJson, answerPlainly } from '#server/http/answer/plain-answer.ts'
import { listen } from '#server/http/listen.ts'
import { createFront } from '#server/http/server.ts'
import { createServices, type Services } from '#server/services.ts'
import { createThreadCommitter } from '#server/store/commit-thread/thread-committer.ts'
import { listTagDistributions } from '#server/store/issues/tags.ts'
import { createRandom } from '../support/random.ts'

const env = requireEnv({
  PORT: '0',
  HOST: '127.0.0.1',
  CULVERT_DATA_DIR: process.argv[2] ?? '.',
  DATABASE_URL: process.env['DATABASE_URL'],
  LOG_LEVEL: 'error',
})
const services = await createServices(env, { openCommitter: createThreadCommitter })
const reads = await makeReads(services)
const server = createFront(services, async (request, response) => {
  const read = reads.get((request.url ?? '').slice(1))
  if (read === undefined) answerPlainly(response, 404, 'not found')
  else answerJson(response, 200, { rows: await read() })
})
const address = await listen(server, env)
process.stdout.write(`${JSON.stringify({ address })}\n`)
await once(process, 'SIGTERM')
server.closeAllConnections()
server.close()
await services.close()

/** The reads by name, of other rows each time. Each resolves with the number of rows found. */
async function makeReads({ store, ...others }: Services): Promise<Map<string, () => Promise<number>>> {
  const random = createRandom(3)
  const { column, close } = await openPicking(store.path)
  const pickFrom = (values: unknown[]) => () => String(values[Math.floor(random() * values.length)])
  const busy = pickFrom(await column('SELECT id FROM issues ORDER BY event_count DESC LIMIT 200'))
  const any = pickFrom(await column('SELECT id FROM issues'))
  const eventIds = await column('SELECT event_id FROM events WHERE received_at % 997 = 0 LIMIT 1000')
  const digest = pickFrom(eventIds.map(toDigest))
  const projectId = Number((await column('SELECT project_id FROM issues LIMIT 1'))[0])
  const url = pickFrom(await column(`SELECT value FROM issue_tags WHERE key = 'url' LIMIT 1000`))
  const viewer = ownerOf((await column('SELECT id FROM projects')).map(Number))
  await close()
  const all = { ...others, store }
  const list = async (search: Parameters<typeof listIssueView>[2]) =>
    (await listIssueView(all, viewer, search)).issues.length
  const detail = async (id: string) => {
    const view = await findIssueView(all, viewer, { issueId: id })
    return view && 'tags' in view ? view.tags.length : 0
  }
  return new Map([
    ['list', () => list({})],
    ['list-by-events', () => list({ sort: 'events' })],
    ['list-of-environment', () => list({ environment: 'production' })],
    ['list-of-no-environment', () => list({ environment: 'nowhere' })],
    ['detail-of-busy-issue', () => detail(busy())],
    ['detail-of-any-issue', () => detail(any())],
    ['list-by-trend-of-7-days', () => list({ sort: 'trend', range: '7d' })],
    ['search-by-common-tag', () => list({ q: 'browser.name:Chrome' })],
    ['search-by-rare-tag', () => list({ q: `url:"${url()}"` })],
    ['search-by-two-tags', () => list({ q: `browser.name:Chrome url:"${url()}"` })],
    ['search-by-unknown-tag', () => list({ q: 'browser.name:Chrome url:nowhere' })],
    ['search-by-common-word', () => list({ q: 'error' })],
    ['search-by-rare-word', () => list({ q: 'Issue17' })],
    ['search-by-unknown-word', () => list({ q: 'nowhere' })],
    ['search-asking-each', () => list({ q: 'is:regressed level:fatal' })],
    [
      'search-of-everything',
      () => list({ q: 'level:error has:url firstSeen:-7d !region:eu error', sort: 'events' }),
    ],
    ['digest-lookup', async () => (await listDigestView(all, viewer, digest())).matches.length],
    [
      'tag-counts-of-busy-issue',
      async () => (await listTagDistributions(store.db, { projectId, issueId: Number(busy()) })).length,
    ],
  ])
}

/**
 * Reads columns on its own connection: pages that SQLite has read stay in memory until their connection is
 * closed.
 */
async function openPicking(path: string) {
  if (!path.startsWith('postgres')) {
    const sqlite = new DatabaseSync(path, { readOnly: true })
    const column = async (sql: string) => Promise.resolve(toValues(sqlite.prepare(sql).all()))
    return { column, close: async () => Promise.resolve(sqlite.close()) }
  }
  const client = new Client({ connectionString: path })
  await client.connect()
  const column = async (sql: string) => toValues((await client.query<Record<string, unknown>>(sql)).rows)
  return { column, close: () => client.end() }
}

function toValues(rows: Record<string, unknown>[]): unknown[] {
  return rows.flatMap((row) => Object.values(row))
}

function toDigest(eventId: unknown): string {
  return eventId instanceof Uint8Array ? Buffer.from(eventId).toString('hex').slice(0, 12) : ''
}

/** A user with access to every project, as is common in a small installation. */
function ownerOf(projectIds: number[]): Viewer {
  const organization = {
    organizationId: 1,
    organizationSlug: 'default',
    organizationName: 'Default',
    organizationCreatedAt: 0,
  }
  const person = {
    userId: 'bench',
    name: 'Bench',
    email: 'bench@example.com',
    hasTwoFactor: false,
    hasShortcuts: true,
    sessionToken: '',
  }
  return { ...person, memberships: [{ ...organization, role: 'owner', projectIds }] }
}
