import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiRoutes } from '#server/api/api-routes.ts'
import { addToken, startApiServer } from '../support/api-server.ts'
import { envelopeOf, errorEnvelope, randomEventId } from '../support/envelopes.ts'
import { fixtureProject, otherProject, type TestServer } from '../support/start-server.ts'

let server: TestServer
let owner: string
let issueId: string
const eventId = randomEventId()
const releases = '/organizations/default/releases/'

beforeAll(async () => {
  server = await startApiServer()
  owner = await addToken(server, { name: 'owner' })
  await send({ eventId, release: 'shop@1.0.0' })
  issueId = String(server.services.store.sqlite.prepare('SELECT id FROM issues').get()?.['id'])
})
afterAll(() => server.stop())

async function send(
  options: Parameters<typeof errorEnvelope>[0],
  project: { id: number; publicKey: string } = fixtureProject,
) {
  await fetch(`${server.origin}/api/${project.id}/envelope/?sentry_key=${project.publicKey}`, {
    method: 'POST',
    body: errorEnvelope(options),
  })
}

interface Call {
  token?: string
  method?: string
  body?: unknown
}

async function call(path: string, { token = owner, method = 'GET', body }: Call = {}) {
  const response = await fetch(`${server.origin}/api/0${path}`, {
    method,
    headers: token === '' ? {} : { authorization: `Bearer ${token}` },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const json: unknown = text === '' ? undefined : JSON.parse(text)
  return { status: response.status, json, headers: response.headers }
}

describe('who calls the API', () => {
  it('is asked for a token, whatever the path', async () => {
    const asked = { status: 401, json: { detail: 'Authentication credentials were not provided.' } }
    expect(await call('/', { token: '' })).toMatchObject(asked)
    expect(await call('/nowhere/', { token: '' })).toMatchObject(asked)
    expect(await call('/', { token: 'sntryu_0' })).toMatchObject({
      status: 401,
      json: { detail: 'Invalid token' },
    })
  })

  it('may do what the token’s scopes say', async () => {
    const token = await addToken(server, { name: 'reader', scopes: ['event:read'] })
    expect((await call(`/issues/${issueId}/`, { token })).status).toBe(200)
    expect((await call('/organizations/', { token })).status).toBe(403)
    expect((await call(`/issues/${issueId}/`, { token, method: 'PUT', body: {} })).status).toBe(403)
    expect((await call(releases, { token, method: 'POST', body: {} })).json).toMatchObject({
      detail: expect.stringContaining('project:releases') as string,
    })
  })

  it('may do what the user’s role says, whatever the scopes', async () => {
    const token = await addToken(server, { name: 'viewer', role: 'viewer' })
    const resolve = { token, method: 'PUT', body: { status: 'resolved' } }
    expect((await call(`/issues/${issueId}/`, resolve)).status).toBe(403)
    expect((await call(`/organizations/default/issues/?id=${issueId}`, resolve)).status).toBe(403)
    const release = { version: 'shop@9.9.9', projects: [fixtureProject.name] }
    expect((await call(releases, { token, method: 'POST', body: release })).status).toBe(400)
    expect((await call(`/issues/${issueId}/`, { token })).json).toMatchObject({ status: 'unresolved' })
  })

  it('finds nothing in an organization of others', async () => {
    const { sqlite } = server.services.store
    sqlite.exec(`INSERT INTO organizations VALUES (2, 'other', 'Other', 0)`)
    const token = await addToken(server, { name: 'outsider' })
    sqlite.exec(`UPDATE memberships SET organization_id = 2
      WHERE user_id = (SELECT id FROM users WHERE name = 'outsider')`)
    const paths = [
      '/organizations/default/',
      '/organizations/default/projects/',
      '/organizations/default/issues/',
      `/organizations/default/issues/${issueId}/`,
      `/organizations/other/issues/${issueId}/`,
      `/issues/${issueId}/`,
      `/issues/${issueId}/events/latest/`,
      `/projects/default/fixture/events/${eventId}/`,
      `/organizations/default/eventids/${eventId}/`,
      `/organizations/other/eventids/${eventId}/`,
      `${releases}shop@1.0.0/`,
      '/organizations/other/releases/shop@1.0.0/',
      '/projects/other/fixture/',
    ]
    for (const path of paths) expect([path, (await call(path, { token })).status]).toEqual([path, 404])
    expect((await call('/organizations/other/issues/', { token })).json).toEqual([])
    expect((await call('/projects/', { token })).json).toEqual([])
  })

  it('is forgotten with the token', async () => {
    const token = await addToken(server, { name: 'leaver' })
    expect((await call('/', { token })).status).toBe(200)
    server.services.store.sqlite.exec(`DELETE FROM users WHERE name = 'leaver'`)
    expect((await call('/', { token })).status).toBe(401)
  })
})

describe('issues', () => {
  it('are listed as clients of Sentry expect them', async () => {
    const { json } = await call('/projects/default/fixture/issues/')
    expect(json).toMatchObject([
      {
        id: issueId,
        shortId: 'FIXTURE-1',
        title: 'TypeError: x is not a function',
        status: 'unresolved',
        level: 'error',
        count: '1',
        userCount: 1,
        permalink: `${server.origin}/issues/${issueId}`,
        metadata: { type: 'TypeError', value: 'x is not a function' },
        project: { slug: 'fixture' },
        firstRelease: { version: 'shop@1.0.0' },
      },
    ])
  })

  it('are read page by page until the Link header says there are no more', async () => {
    for (let number = 0; number < 5; number += 1) await send({ type: `Paged${number}` }, otherProject)
    const titles: string[] = []
    let path = '/projects/default/other/issues/?limit=2'
    for (let page = 0; page < 5; page += 1) {
      const { json, headers } = await call(path)
      titles.push(...v.parse(v.array(v.object({ title: v.string() })), json).map(({ title }) => title))
      const next = /<([^>]+)>; rel="next"; results="true"/.exec(headers.get('link') ?? '')?.[1]
      if (next === undefined) break
      path = next.slice(`${server.origin}/api/0`.length)
    }
    expect(new Set(titles).size).toBe(5)
    expect(titles).toHaveLength(5)
  })

  it('are found by a query, and a query that is not understood is refused', async () => {
    const count = async (query: string) => {
      const { json } = await call(`/organizations/default/issues/?query=${encodeURIComponent(query)}`)
      return v.parse(v.array(v.unknown()), json).length
    }
    expect(await count('is:unresolved release:shop@1.0.0')).toBe(1)
    expect(await count('is:unresolved environment:nowhere')).toBe(0)
    expect((await call('/organizations/default/issues/?query=is:odd')).status).toBe(400)
  })

  it('are resolved, archived and assigned', async () => {
    const change = (body: unknown) => call(`/issues/${issueId}/`, { method: 'PUT', body })
    expect((await change({ status: 'resolved' })).json).toMatchObject({ status: 'resolved' })
    const ignored = await change({ status: 'ignored', statusDetails: { ignoreCount: 10 } })
    expect(ignored.json).toMatchObject({ status: 'ignored', substatus: 'archived_until_condition_met' })
    const me = v.parse(v.object({ user: v.object({ id: v.string() }) }), (await call('/')).json).user.id
    expect((await change({ assignedTo: `user:${me}` })).json).toMatchObject({ assignedTo: { id: me } })
    expect((await change({ assignedTo: '', status: 'unresolved' })).json).toMatchObject({
      assignedTo: null,
      status: 'unresolved',
    })
    expect((await change({ assignedTo: 'nobody-we-know' })).status).toBe(400)
  })

  it('are changed together, and only those that the call names', async () => {
    const many = (query: string) =>
      call(`/organizations/default/issues/${query}`, { method: 'PUT', body: { status: 'resolved' } })
    expect((await many('')).status).toBe(400)
    expect((await many(`?id=${issueId}&project=43`)).status).toBe(200)
    expect((await call(`/issues/${issueId}/`)).json).toMatchObject({ status: 'unresolved' })
    expect((await many(`?id=${issueId}`)).json).toEqual({ status: 'resolved' })
    expect((await call(`/issues/${issueId}/`)).json).toMatchObject({ status: 'resolved' })
  })

  it.each([
    ['no JSON', '{'],
    ['no such status', { status: 'done' }],
    ['a number for a text', { assignedTo: 7 }],
    ['a list', []],
  ])('refuse what makes no sense: %s', async (_name, body) => {
    expect((await call(`/issues/${issueId}/`, { method: 'PUT', body })).status).toBe(400)
  })
})

describe('events', () => {
  it('are read by id, and as an issue’s latest and oldest', async () => {
    const whole = { eventID: eventId, groupID: issueId, release: { version: 'shop@1.0.0' } }
    for (const path of [
      `/issues/${issueId}/events/latest/`,
      `/organizations/default/issues/${issueId}/events/oldest/`,
      `/issues/${issueId}/events/${eventId}/`,
      `/projects/default/fixture/events/${eventId}/`,
    ]) {
      expect((await call(path)).json).toMatchObject(whole)
    }
    expect((await call(`/organizations/default/eventids/${eventId}/`)).json).toMatchObject({
      projectSlug: 'fixture',
      groupId: issueId,
    })
  })

  it('have their stack trace in Sentry’s words', async () => {
    const { json } = await call(`/issues/${issueId}/events/latest/`)
    const frame = { filename: 'app.js', function: 'TypeError', inApp: true, lineNo: null }
    expect(json).toMatchObject({
      entries: [
        { type: 'exception', data: { values: [{ type: 'TypeError', stacktrace: { frames: [frame] } }] } },
      ],
    })
  })

  it('are listed, those of an issue and those of a project', async () => {
    expect((await call(`/issues/${issueId}/events/`)).json).toMatchObject([{ eventID: eventId }])
    const { json, headers } = await call('/projects/default/other/events/?per_page=2')
    expect(json).toHaveLength(2)
    const next = /<([^>]+)>; rel="next"; results="true"/.exec(headers.get('link') ?? '')?.[1] ?? ''
    expect((await call(next.slice(`${server.origin}/api/0`.length))).json).toHaveLength(2)
  })
})

describe('releases', () => {
  const version = 'team/shop@2.0.0'
  const place = `${releases}${encodeURIComponent(version)}/`

  it('are made once, told of deploys and commits, finalized and deleted', async () => {
    const body = { version, projects: ['fixture', 'other'] }
    expect((await call(releases, { method: 'POST', body })).status).toBe(201)
    expect((await call(releases, { method: 'POST', body })).status).toBe(208)
    const commits = [
      {
        id: 'b'.repeat(40),
        message: 'Second',
        author_name: 'Ada',
        author_email: 'ada@example.com',
        patch_set: [],
      },
      { id: 'a'.repeat(40), timestamp: '2026-11-21T10:00:00Z' },
    ]
    const dateReleased = '2026-11-21T12:00:00.000Z'
    const changed = await call(place, { method: 'PUT', body: { commits, dateReleased } })
    expect(changed.json).toMatchObject({ version, dateReleased, projects: [{}, {}] })
    expect((await call(`${place}commits/`)).json).toMatchObject([{ message: 'Second' }, { author: null }])
    const deploy = { environment: 'production', name: 'night' }
    expect((await call(`${place}deploys/`, { method: 'POST', body: deploy })).status).toBe(201)
    expect((await call(`${place}deploys/`)).json).toMatchObject([deploy])
    expect((await call(place, { method: 'DELETE' })).status).toBe(204)
    expect((await call(place)).status).toBe(404)
    const { sqlite } = server.services.store
    for (const table of ['deploys', 'release_commits']) {
      expect(sqlite.prepare(`SELECT count(*) AS n FROM ${table}`).get()).toEqual({ n: 0 })
    }
  })

  it('are listed with their sessions where that is asked for', async () => {
    const attrs = { release: 'health@1.0.0' }
    const aggregates = [{ started: Date.now() / 1_000, exited: 6, errored: 1, crashed: 1, did: 'ada' }]
    await fetch(
      `${server.origin}/api/${fixtureProject.id}/envelope/?sentry_key=${fixtureProject.publicKey}`,
      {
        method: 'POST',
        body: envelopeOf({}, ['sessions', { attrs, aggregates }]),
      },
    )
    await call(releases, { method: 'POST', body: { version: 'health@0.9.0', projects: ['fixture'] } })
    const healthOf = async (parameters: string) => {
      const { json } = await call(`${releases}?query=health${parameters}`)
      const rows = v.parse(v.array(v.object({ version: v.string(), projects: v.array(v.unknown()) })), json)
      return Object.fromEntries(rows.map(({ version: name, projects }) => [name, projects[0]]))
    }
    expect(await healthOf('&health=1')).toMatchObject({
      'health@1.0.0': {
        healthData: {
          hasHealthData: true,
          sessionsAdoption: 100,
          crashFreeSessions: 87.5,
          crashFreeUsers: 0,
          totalSessions: 8,
          totalUsers: 1,
          sessionsCrashed: 1,
          sessionsErrored: 1,
        },
      },
      'health@0.9.0': { healthData: { hasHealthData: false } },
    })
    expect(JSON.stringify(await healthOf(''))).not.toContain('healthData')
  })

  it.each([
    [{}, 'version'],
    [{ version: '..', projects: ['fixture'] }, 'version'],
    [{ version: 'a\nb', projects: ['fixture'] }, 'version'],
    [{ version: 'x'.repeat(251), projects: ['fixture'] }, 'version'],
    [{ version: '1.0', projects: ['nowhere'] }, 'projects'],
    [{ version: '1.0', projects: ['fixture'], url: 'javascript:alert(1)' }, 'url'],
    [{ version: '1.0', projects: ['fixture'], dateReleased: 'soon' }, 'dateReleased'],
  ])('are refused, with the field that is wrong: %j', async (body, field) => {
    const { status, json } = await call(releases, { method: 'POST', body })
    expect(status).toBe(400)
    expect(Object.keys(v.parse(v.record(v.string(), v.unknown()), json))).toEqual([field])
  })
})

describe('the table of endpoints', () => {
  it('is the OpenAPI document, which anybody may read', async () => {
    const { status, json } = await call('/openapi.json', { token: '' })
    expect(status).toBe(200)
    const { paths } = v.parse(
      v.object({ paths: v.record(v.string(), v.record(v.string(), v.unknown())) }),
      json,
    )
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(documented.toSorted()).toEqual(apiRoutes.map(({ method, path }) => `${method} ${path}`).toSorted())
    expect(paths['/organizations/{org}/releases/{version}/deploys/']).toMatchObject({
      post: {
        requestBody: {
          content: { 'application/json': { schema: { required: ['environment'], type: 'object' } } },
        },
      },
    })
  })

  it('has each operation under a name of its own', async () => {
    const { json } = await call('/openapi.json')
    const names = [...JSON.stringify(json).matchAll(/"operationId":"([^"]+)"/g)].map(([, name]) => name)
    expect(new Set(names).size).toBe(apiRoutes.length)
  })

  it('says which methods a path takes, and what is not there', async () => {
    const refused = await call('/organizations/', { method: 'POST' })
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET'])
    expect(await call('/teams/')).toMatchObject({
      status: 404,
      json: { detail: 'The requested resource does not exist' },
    })
    expect((await call('/organizations/%E0%A4%A/')).status).toBe(404)
  })
})
