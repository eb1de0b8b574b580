import * as v from 'valibot'
import { afterAll, describe, expect, it } from 'vitest'
import { apiRoutes } from '#server/api/api-routes.ts'
import { createProject } from '#server/store/projects/projects.ts'
import { createApiCaller } from '#test/api-call.ts'
import { addToken, sendError, startApiServer } from '#test/api-server.ts'
import { envelopeOf, randomEventId } from '#test/envelopes.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { fixtureProject, otherProject } from '#test/start-server.ts'

const eventId = randomEventId()
const releases = '/organizations/default/releases/'

const server = await startApiServer()
const call = createApiCaller(server.origin, await addToken(server, { name: 'owner' }))
await sendError(server, { eventId, release: 'shop@1.0.0' })
const issueId = String(server.services.store.connection.prepare('SELECT id FROM issues').get()?.['id'])
afterAll(() => server.stop())

describe('a client of the API', () => {
  it('requires a token on every path', async () => {
    const asked = { status: 401, json: { detail: 'Authentication credentials were not provided.' } }
    expect(await call('/', { token: '' })).toMatchObject(asked)
    expect(await call('/nowhere/', { token: '' })).toMatchObject(asked)
    expect(await call('/', { token: 'sntryu_0' })).toMatchObject({
      status: 401,
      json: { detail: 'Invalid token' },
    })
  })

  it('is limited to the token’s scopes', async () => {
    const token = await addToken(server, { name: 'reader', scopes: ['event:read'] })
    expect((await call(`/issues/${issueId}/`, { token })).status).toBe(200)
    expect((await call('/organizations/', { token })).status).toBe(403)
    expect((await call(`/issues/${issueId}/`, { token, method: 'PUT', body: {} })).status).toBe(403)
    expect((await call(releases, { token, method: 'POST', body: {} })).json).toMatchObject({
      detail: expect.stringContaining('project:releases') as string,
    })
  })

  it('names a project by its id although another one has an equal slug', async () => {
    const numbered = await createProject(server.services.store, { name: String(fixtureProject.id) })
    expect(numbered.slug).toBe(String(fixtureProject.id))
    const place = `/projects/default/${fixtureProject.id}/`
    expect((await call(place)).json).toMatchObject({ slug: fixtureProject.name })
    expect((await call(`${place}issues/`)).json).toHaveLength(1)
    const body = { version: 'numbered@1', projects: [String(fixtureProject.id)] }
    expect((await call(releases, { method: 'POST', body })).json).toMatchObject({
      projects: [{ slug: fixtureProject.name }],
    })
  })

  it.each(
    apiRoutes
      .filter(({ method, query }) => method === 'GET' && query?.['project'] !== undefined)
      .map(({ path }) => path.replace('{org}', 'default'))
      .filter((path) => !path.includes('{')),
  )('is answered 404 with the unknown ones among the projects of a list: %s', async (path) => {
    const named = `${path}?project=${fixtureProject.name}`
    expect((await call(named)).status).not.toBe(404)
    for (const unknown of ['nowhere', '987']) {
      const { status, json } = await call(`${named}&project=${unknown}`)
      expect(status).toBe(404)
      expect(json).toMatchObject({
        detail: expect.stringContaining(`Unknown project parameter: ${unknown}.`) as string,
      })
    }
  })

  it('changes no issues if one of the projects is unknown', async () => {
    const path = `/organizations/default/issues/?id=${issueId}&project=${fixtureProject.name}&project=nowhere`
    expect((await call(path, { method: 'PUT', body: { status: 'resolved' } })).status).toBe(404)
    expect((await call(`/issues/${issueId}/`)).json).toMatchObject({ status: 'unresolved' })
  })

  it('is limited to the role of the user, whatever the scopes', async () => {
    const token = await addToken(server, { name: 'viewer', role: 'viewer' })
    const resolve = { token, method: 'PUT', body: { status: 'resolved' } }
    expect((await call(`/issues/${issueId}/`, resolve)).status).toBe(403)
    expect((await call(`/organizations/default/issues/?id=${issueId}`, resolve)).status).toBe(403)
    const release = { version: 'shop@9.9.9', projects: [fixtureProject.name] }
    expect((await call(releases, { token, method: 'POST', body: release })).status).toBe(403)
    expect((await call(`/issues/${issueId}/`, { token })).json).toMatchObject({ status: 'unresolved' })
  })

  it('finds nothing in another organization', async () => {
    const { connection } = server.services.store
    connection.exec(`INSERT INTO organizations (id, slug, name, created_at) VALUES (2, 'other', 'Other', 0)`)
    const token = await addToken(server, { name: 'outsider' })
    connection.exec(`UPDATE memberships SET organization_id = 2
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

  it('has headers with the remaining requests, also for 404', async () => {
    const token = await addToken(server, { name: 'asker' })
    const left = async (path: string) =>
      (await call(path, { token })).headers.get('x-sentry-rate-limit-remaining')
    const first = Number(await left('/'))
    expect(Number(await left('/nowhere/'))).toBeLessThanOrEqual(first)
    const { headers } = await call('/', { token })
    expect(headers.get('x-sentry-rate-limit-limit')).toBe('1200')
    expect(Number(headers.get('x-sentry-rate-limit-reset')) * 1000).toBeGreaterThan(Date.now() - 2_000)
  })

  it('is rejected once the token is deleted', async () => {
    const token = await addToken(server, { name: 'leaver' })
    expect((await call('/', { token })).status).toBe(200)
    server.services.store.connection.exec(`DELETE FROM users WHERE name = 'leaver'`)
    expect((await call('/', { token })).status).toBe(401)
  })
})

const listEvents = (parameters: string) => call(`/issues/${issueId}/events/?${parameters}`)

describe('events', () => {
  it('are read by id, and as an issue’s latest and oldest', async () => {
    const whole = { eventID: eventId, groupID: issueId, release: { version: 'shop@1.0.0' } }
    for (const path of [
      `/issues/${issueId}/events/latest/`,
      `/organizations/default/issues/${issueId}/events/oldest/`,
      `/issues/${issueId}/events/helpful/`,
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

  it('are listed in full on request, and by environment and time', async () => {
    expect((await listEvents('full=true')).json).toMatchObject([{ entries: [{ type: 'exception' }] }])
    expect((await listEvents('')).json).not.toMatchObject([{ entries: expect.anything() as unknown }])
    expect((await listEvents('environment=production&statsPeriod=1h')).json).toHaveLength(1)
    expect((await listEvents('environment=nowhere')).json).toEqual([])
    expect((await listEvents('end=2020-01-01')).json).toEqual([])
    for (const wrong of ['cursor=0', 'statsPeriod=0d', 'per_page=-1'])
      expect((await listEvents(wrong)).status).toBe(400)
  })

  it('have their stack trace in Sentry’s format', async () => {
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
    for (let number = 0; number < 4; number += 1)
      await sendError(server, { type: `Listed${number}` }, otherProject)
    const { json, headers } = await call('/projects/default/other/events/?per_page=2')
    expect(json).toHaveLength(2)
    const next = /<([^>]+)>; rel="next"; results="true"/.exec(headers.get('link') ?? '')?.[1] ?? ''
    expect((await call(next.slice(`${server.origin}/api/0`.length))).json).toHaveLength(2)
  })
})

describe('releases', () => {
  const version = 'team/shop@2.0.0'
  const place = `${releases}${encodeURIComponent(version)}/`

  it('are created once, get deploys and commits, are finalized and deleted', async () => {
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
    expect(changed.json).toMatchObject({ commitCount: 2, lastCommit: { id: 'b'.repeat(40) }, deployCount: 0 })
    const listed = await call(`${releases}?query=team/shop`)
    expect(listed.json).toMatchObject([{ version, projects: [{}, {}] }])
    expect((await call(`${place}commits/`)).json).toMatchObject([{ message: 'Second' }, { author: null }])
    const deploy = { environment: 'production', name: 'night' }
    expect((await call(`${place}deploys/`, { method: 'POST', body: deploy })).status).toBe(201)
    expect((await call(`${place}deploys/`)).json).toMatchObject([deploy])
    expect((await call(place, { method: 'DELETE' })).status).toBe(204)
    expect((await call(place)).status).toBe(404)
    const { connection } = server.services.store
    for (const table of ['deploys', 'release_commits']) {
      expect(connection.prepare(`SELECT count(*) AS n FROM ${table}`).get()).toEqual({ n: 0 })
    }
  })

  it('are listed with their sessions on request', async () => {
    const attrs = { release: 'health@1.0.0' }
    const aggregates = [{ started: Date.now() / 1_000, exited: 6, errored: 1, crashed: 1, did: 'ada' }]
    await postEnvelope(server.origin, envelopeOf({}, ['sessions', { attrs, aggregates }]))
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
    [{ version: '1.0', projects: ['fixture', 'nowhere'] }, 'projects'],
    [{ version: '1.0', projects: ['fixture'], url: 'javascript:alert(1)' }, 'url'],
    [{ version: '1.0', projects: ['fixture'], dateReleased: 'soon' }, 'dateReleased'],
  ])('are rejected with the invalid field: %j', async (body, field) => {
    const { status, json } = await call(releases, { method: 'POST', body })
    expect(status).toBe(400)
    expect(Object.keys(v.parse(v.record(v.string(), v.unknown()), json))).toEqual([field])
  })
})

describe('every endpoint that reads', () => {
  const traceId = 'c'.repeat(32)

  it('matches the OpenAPI document', async () => {
    await call(releases, { method: 'POST', body: { version: 'read@1', projects: ['fixture'] } })
    const parts: Record<string, string> = {
      org: 'default',
      project: 'fixture',
      issue: issueId,
      event: eventId,
      version: 'read@1',
      key: 'level',
      attachment: '1',
      monitor: 'nightly',
      uptime: 'shop',
      page: 'limits',
      trace: traceId,
      publicKey: fixtureProject.publicKey,
    }
    await call('/projects/default/fixture/uptime/', {
      method: 'POST',
      body: { name: 'Shop', url: 'https://shop.example.com/' },
    })
    await call('/organizations/default/monitors/', {
      method: 'POST',
      body: {
        name: 'Nightly',
        project: 'fixture',
        config: { schedule_type: 'crontab', schedule: '0 4 * * *' },
      },
    })
    await postEnvelope(server.origin, envelopeOf({ event_id: eventId }, ['attachment', 'a file']))
    const at = Date.now() / 1_000
    const contexts = { trace: { trace_id: traceId, span_id: 'b'.repeat(16), op: 'http.server' } }
    await postEnvelope(
      server.origin,
      envelopeOf({}, [
        'transaction',
        { transaction: '/cart', start_timestamp: at - 1, timestamp: at, contexts },
      ]),
    )
    for (const route of apiRoutes.filter(({ method }) => method === 'GET')) {
      const path = route.path
        .replace('{issue}', route.path.includes('shortids') ? 'FIXTURE-1' : '{issue}')
        .replaceAll(/\{(\w+)\}/g, (_all, name: string) => parts[name] ?? '')
      const { status, headers } = await call(path.includes('stacktrace-link') ? `${path}?file=a.ts` : path)
      expect([route.path, status]).toEqual([route.path, 200])
      expect([route.path, headers.has('link')]).toEqual([route.path, route.isPaged === true])
    }
  })
})

describe('the table of endpoints', () => {
  it('is the OpenAPI document, which needs no token', async () => {
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

  it('is a page for people, too, which needs no token', async () => {
    const answer = await fetch(`${server.origin}/api/0/docs`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const page = await answer.text()
    for (const { method, path } of apiRoutes) expect(page).toContain(`<b>${method}</b> ${path}</code>`)
    expect((await fetch(`${server.origin}/api/0/docs.css`)).headers.get('content-type')).toContain('text/css')
    expect((await fetch(`${server.origin}/api/0/docs`, { method: 'POST' })).status).toBe(401)
  })

  it('has a unique name for each operation', async () => {
    const { json } = await call('/openapi.json')
    const names = [...JSON.stringify(json).matchAll(/"operationId":"([^"]+)"/g)].map(([, name]) => name)
    expect(new Set(names).size).toBe(apiRoutes.length)
  })

  it('lists the methods of a path, and answers 404 for an unknown one', async () => {
    const rejected = await call('/organizations/', { method: 'POST' })
    expect([rejected.status, rejected.headers.get('allow')]).toEqual([405, 'GET'])
    expect(await call('/teams/')).toMatchObject({
      status: 404,
      json: { detail: 'The requested resource does not exist' },
    })
    // A path with a truncated escape cannot be decoded.
    expect((await call('/organizations/%E0%A4%A/')).status).toBe(400)
  })
})
