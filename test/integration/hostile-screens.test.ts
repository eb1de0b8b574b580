import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { afterAll, expect, it } from 'vitest'
import { projectPages } from '#server/console/project-settings/pages.ts'
import { createApiToken } from '#server/store/accounts/api-tokens.ts'
import { updateProjectSettings } from '#server/store/projects/settings.ts'
import type { Store } from '#server/store/store.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { addUser, cookieOf } from '#test/session.ts'
import { fixtureProject } from '#test/start-server.ts'
import { storedEventIds } from '#test/stored-events.ts'
import { startConsole } from '#test/test-console.ts'

const hostile = v.parse(
  v.record(v.string(), v.looseObject({})),
  JSON.parse(readFileSync(join(import.meta.dirname, '../fixtures/hostile-events/events.json'), 'utf8')),
)
const markup = '"><img src=x onerror=alert(1)>'

/** A request of an unknown client: its address and user agent are what its headers claim. */
async function send(event: object): Promise<void> {
  const headers = { 'user-agent': 'xé (forged) \\n<img src=x>', 'x-forwarded-for': '<b>, 6.6.6.6, 127.0.0.1' }
  const body = `{}\n{"type":"event"}\n${JSON.stringify(event)}`
  expect((await postEnvelope(server.origin, body, { headers })).status).toBe(200)
}

async function read(path: string): Promise<string> {
  const answer = await fetch(server.origin + path, { headers: { accept: 'text/html', cookie } })
  expect([answer.status, path]).toEqual([200, path])
  return answer.text()
}

/** Elements that Culvert never renders, and links to something other than the web. */
function findIntruders(html: string): string[] {
  const made = html.match(/<(?:img|iframe|object|embed|b |svg on)[^>]*>|<script(?![^>]*nonce=)[^>]*>/gi) ?? []
  const links = html.match(/<[^>]*\s(?:href|src|action|formaction)="\s*(?:javascript|data|vbscript):[^>]*>/gi)
  return [...made, ...(links ?? [])]
}

const values = (sql: string) =>
  server.services.store.connection
    .prepare(sql)
    .all()
    .map((row) => String(Object.values(row)[0]))

/**
 * Names that users set, written into the store: the forms are stricter than an older version or the API may
 * have been.
 */
function nameEverything({ connection }: Store): void {
  const { id } = fixtureProject
  connection.prepare('UPDATE organizations SET name = ?').run(`team ${markup}`)
  connection.prepare('UPDATE projects SET name = ? WHERE id = ?').run(`project ${markup}`, id)
  connection.prepare('UPDATE project_keys SET label = ? WHERE project_id = ?').run(`key ${markup}`, id)
  connection
    .prepare(
      `INSERT INTO dead_letters (project_id, id, item_type, reason, received_at, payload, category, origin)
       VALUES (?, 'hostile', ?, ?, ?, ?, 'error', ?)`,
    )
    .run(
      id,
      `event ${markup}`,
      `letter ${markup}`,
      Date.now(),
      Buffer.from(markup),
      `https://x.example/${markup}`,
    )
  connection
    .prepare(
      `INSERT INTO upstreams (project_id, id, dsn, organization, region, kinds, source, created_at, state)
       VALUES (?, 'hostile', 'https://a@upstream.example/1', ?, ?, 'all', 'settings', 0, ?)`,
    )
    .run(id, `o ${markup}`, `r ${markup}`, JSON.stringify({ lastError: markup, lastAnswer: markup }))
}

const server = await startConsole()
const { store } = server.services
const person = { name: `Eve ${markup}`, email: 'eve@example.com', password: 'a password for tests' }
const userId = await addUser(store, person)
const cookie = await cookieOf(server.origin, person)
await createApiToken(store, { userId, name: `token ${markup}`, scopes: ['org:read'] })
await updateProjectSettings(store, fixtureProject.id, ({ filters }) => ({
  filters: { ...filters, errorMessages: ['*dropped*'] },
}))
nameEverything(store)
await server.services.projectKeys.refresh()
for (const event of Object.values(hostile)) await send(event)
await send({ message: `dropped ${markup}`, release: `web@${markup}`, environment: `here ${markup}` })
afterAll(() => server.stop())

it('names from clients and users are text on every screen', async () => {
  const issues = values('SELECT id FROM issues').map((id) => `/issues/${id}`)
  const events = (await storedEventIds(server.services.store, fixtureProject.id)).map((id) => `/events/${id}`)
  const releases = values('SELECT version FROM releases').map(
    (name) => `/releases/${encodeURIComponent(name)}`,
  )
  expect(issues.length).toBeGreaterThanOrEqual(Object.keys(hostile).length)
  expect(releases.length).toBeGreaterThan(0)
  const others = [
    '/issues?status=all',
    '/releases',
    '/outcomes',
    '/projects',
    '/settings',
    '/settings/tokens',
    '/settings/members',
    `/issues?q=${encodeURIComponent(markup)}`,
    `/digest/${encodeURIComponent(markup)}`,
    '/digest',
    '/outcomes/dead-letters',
    '/tunnel',
    '/settings/system',
    '/projects/new',
    `/projects/${fixtureProject.name}`,
    ...Object.keys(projectPages)
      .filter((page) => page !== 'general')
      .map((page) => `/projects/${fixtureProject.name}/${page}`),
  ]
  for (const path of [
    ...issues,
    ...issues.flatMap((issue) => [`${issue}/events`, `${issue}/tags`]),
    ...events,
    ...releases,
    ...others,
  ])
    expect([path, findIntruders(await read(path))]).toEqual([path, []])
  // These screens were visited, not skipped.
  expect(await read('/settings/tokens')).toContain('&lt;img src=x')
  expect(await read('/settings/members')).toContain('&lt;img src=x')
  expect(await read('/outcomes')).toContain('dropped &quot;&gt;&lt;img src=x')
  expect(await read('/outcomes/dead-letters')).toContain('letter &quot;&gt;&lt;img src=x')
  for (const path of ['/tunnel', '/settings/system', '/projects', `/projects/${fixtureProject.name}`])
    expect([path, await read(path)]).toEqual([
      path,
      expect.stringContaining('project &quot;&gt;&lt;img src=x'),
    ])
})

it('of forwarded client addresses, only valid ones are stored', async () => {
  expect(values(`SELECT DISTINCT client_address FROM events`)).toEqual(['6.6.6.6'])
})
