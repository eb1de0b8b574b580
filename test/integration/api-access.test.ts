import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiRoutes } from '#server/api/api-routes.ts'
import { tokenScopes } from '#server/auth/token-scopes.ts'
import { createApiCaller, type CallApi } from '#test/api-call.ts'
import { addToken, startApiServer } from '#test/api-server.ts'
import { errorEnvelope, randomEventId } from '#test/envelopes.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { fixtureProject, type TestServer } from '#test/start-server.ts'

/** Every endpoint of the table, called with every role: a new endpoint is included by itself. */

let server: TestServer
let call: CallApi
let outsider: string
let viewer: string
let parts: Record<string, string>

beforeAll(async () => {
  server = await startApiServer()
  const { connection } = server.services.store
  call = createApiCaller(server.origin, await addToken(server, { name: 'owner' }))
  viewer = await addToken(server, { name: 'viewer', role: 'viewer' })
  outsider = await addToken(server, { name: 'outsider' })
  connection.exec(`INSERT INTO organizations (id, slug, name, created_at) VALUES (2, 'other', 'Other', 0);
    UPDATE memberships SET organization_id = 2 WHERE user_id = (SELECT id FROM users WHERE name = 'outsider')`)
  const eventId = randomEventId()
  await postEnvelope(server.origin, errorEnvelope({ eventId, release: 'shop@1' }))
  await call('/organizations/default/monitors/', { method: 'POST', body: { ...monitor, slug: 'nightly' } })
  await call('/projects/default/fixture/uptime/', { method: 'POST', body: { ...uptime, name: 'Shop' } })
  parts = {
    org: 'default',
    project: 'fixture',
    issue: String(connection.prepare('SELECT id FROM issues').get()?.['id']),
    event: eventId,
    version: 'shop@1',
    key: 'level',
    attachment: '1',
    publicKey: fixtureProject.publicKey,
    team: 'any',
    page: 'limits',
    monitor: 'nightly',
    uptime: 'shop',
    trace: 'a'.repeat(32),
    rule: String(
      connection.prepare('SELECT id FROM alert_rules WHERE project_id = ?').get(fixtureProject.id)?.['id'],
    ),
  }
})
afterAll(() => server.stop())

const rule = {
  name: 'Made',
  conditions: [{ id: 'sentry.rules.conditions.first_seen_event.FirstSeenEventCondition' }],
  actions: [{ id: 'sentry.mail.actions.NotifyEmailAction', targetType: 'IssueOwners' }],
}

const monitor = {
  name: 'Made',
  project: 'fixture',
  config: { schedule_type: 'crontab', schedule: '0 4 * * *' },
}

const uptime = { name: 'Made uptime', url: 'https://shop.example.com/' }

/** Valid input of each endpoint that reads a body, so that a rejection is not caused by the input. */
const bodies: Record<string, unknown> = {
  'POST releases/': { version: 'made@1', projects: ['fixture'] },
  'POST rules/': rule,
  'PUT {rule}/': rule,
  'POST monitors/': monitor,
  'PUT {monitor}/': monitor,
  'POST uptime/': uptime,
  'PUT {uptime}/': uptime,
  'POST external-issues/': { webUrl: 'https://github.com/acme/shop/issues/1' },
  'PUT ownership/': { raw: 'path:src/* ada@example.com' },
  'POST projects/': { name: 'Made' },
  'PUT {project}/': { name: 'Renamed' },
  'POST keys/': { name: 'Web' },
  'PUT {publicKey}/': { isActive: false },
  'POST forms/': { page: '/projects/fixture/limits', action: 'save' },
  'PUT {version}/': {},
  'POST deploys/': { environment: 'production' },
  'PUT issues/': { status: 'resolved' },
  'PUT {issue}/': { status: 'resolved' },
  'POST assemble/': { checksum: 'a'.repeat(40), chunks: ['b'.repeat(40)], projects: ['fixture'] },
}

function bodyOf(method: string, path: string): unknown {
  const name = Object.keys(bodies).find(
    (each) => `${method} ${path}`.endsWith(each.replace(/^\w+ /, '')) && each.startsWith(method),
  )
  return name === undefined ? undefined : bodies[name]
}

/** Calls an endpoint with valid input. */
async function ask({ method, path }: { method: string; path: string }, token?: string) {
  const address = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => parts[name] ?? '')
  const isOfIssues = ['PUT', 'DELETE'].includes(method) && path.endsWith('issues/')
  const query = isOfIssues ? `?id=${parts['issue']}` : ''
  const body = bodyOf(method, path)
  return call(`${address}${query}`, {
    method,
    token,
    ...(body !== undefined && { body }),
  })
}

const called = (routes: typeof apiRoutes) =>
  routes.map((route) => [`${route.method} ${route.path}`, route] as const)
const writing = apiRoutes.filter(({ method }) => method !== 'GET')

describe('a token', () => {
  it.each(called(apiRoutes.filter(({ scope }) => scope !== undefined)))(
    'without the scope is refused by %s',
    async (name, route) => {
      const scopes = tokenScopes.filter((scope) => scope !== route.scope)
      const token = await addToken(server, { name: `without ${name}`, scopes })
      expect((await ask(route, token)).status).toBe(403)
    },
  )

  it.each(called(apiRoutes.filter(({ path }) => path.includes('{'))))(
    'of a user in another organization finds nothing by %s',
    async (_name, route) => {
      expect((await ask(route, outsider)).status).toBe(404)
    },
  )

  it.each(called(writing))('of a viewer changes nothing by %s', async (_name, route) => {
    const { connection } = server.services.store
    const read = () =>
      [
        'releases',
        'deploys',
        'issues',
        'issue_activity',
        'issue_links',
        'artifact_chunks',
        'artifact_bundles',
        'alert_rules',
        'monitors',
        'projects',
        'project_keys',
      ].map((table) => connection.prepare(`SELECT * FROM ${table}`).all())
    const before = read()
    expect((await ask(route, viewer)).status).toBe(403)
    expect(read()).toEqual(before)
  })
})
