import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { actions } from '#server/console/forms/actions.search.ts'
import {
  addAccessPeople,
  everybody,
  people,
  type AccessPeople,
  type AccessPerson,
  type Statuses,
} from '#test/access-people.ts'
import { buildConsole, listServerFunctions } from '#test/built-console.ts'
import { envelopeOf, errorEnvelope, randomEventId } from '#test/envelopes.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { fixtureProject, type TestServer } from '#test/start-server.ts'
import { startConsole } from '#test/test-console.ts'

/** A row for each route and each server function of the build; a new one without a row fails. */

let root: string
let server: TestServer
let eventId: string
let issueId: string
let transactionId: string
let spanGroupId: string
const projectSlug = fixtureProject.name
let send: AccessPeople['send']
let statusesOf: AccessPeople['statusesOf']

beforeAll(async () => {
  root = await buildConsole()
  server = await startConsole()
  eventId = randomEventId()
  await postEnvelope(server.origin, errorEnvelope({ eventId, release: 'web@1.2.3' }))
  const row = server.services.store.connection.prepare('SELECT id FROM issues').get()
  issueId = String(row?.['id'])
  ;({ transactionId, spanGroupId } = await sendTransaction())
  ;({ send, statusesOf } = await addAccessPeople(server))
}, 120_000)

/** Returns the id of its name. */
async function sendTransaction(): Promise<{ transactionId: string; spanGroupId: string }> {
  const transaction = { type: 'transaction', transaction: 'GET /', start_timestamp: 1, timestamp: 2 }
  const contexts = { trace: { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16), op: 'http.server' } }
  const spans = [{ span_id: 'c'.repeat(16), op: 'cache.get', start_timestamp: 1, timestamp: 2 }]
  await postEnvelope(server.origin, envelopeOf({}, ['transaction', { ...transaction, contexts, spans }]))
  const { store, committer } = server.services
  await committer.drain()
  const names = store.connection.prepare('SELECT id FROM figure_names WHERE kind = ?')
  const idOf = (kind: string) => String(names.get(kind)?.['id'])
  return { transactionId: idOf('transaction'), spanGroupId: idOf('span') }
}
afterAll(() => server.stop())

/** Redirected to the sign-in. */
const screen = { ...everybody(200), anonymous: 303 }
/** Of a project: 404 for users without access. */
const object = { ...screen, outsider: 404, elsewhere: 404 }
/** Of a project, for users who can triage its issues. */
const working = { ...object, viewer: 404 }
/** Of a project, for users who can configure it. */
const looking = { ...working, member: 404 }
const file = { ...object, anonymous: 401 }
const configured = { ...everybody(404), anonymous: 401 }

const routes: Record<string, { path?: () => string; statuses: Statuses }> = {
  '/': { statuses: { ...everybody(307), anonymous: 303 } },
  '/healthz': { statuses: everybody(200) },
  '/readyz': { statuses: everybody(200) },
  '/live': { statuses: { ...everybody(200), anonymous: 401 } },
  '/login': { statuses: { ...everybody(303), anonymous: 200 } },
  '/setup': { statuses: everybody(200) },
  '/invite/$token': { path: () => '/invite/none', statuses: everybody(200) },
  '/password/$token': { path: () => '/password/none', statuses: everybody(200) },
  '/forgot-password': { statuses: everybody(200) },
  '/auth/sign-in': { statuses: everybody(303) },
  '/auth/callback/$provider': { path: () => '/auth/callback/oidc', statuses: everybody(404) },
  '/sign-out': { statuses: everybody(405) },
  '/organizations/$org/$': {
    path: () => '/organizations/default/issues/1/',
    statuses: everybody(303),
  },
  '/badge/$project/$secret': {
    path: () => `/badge/42/${'0'.repeat(32)}.svg`,
    statuses: everybody(404),
  },
  '/api/$': { path: () => '/api/0/', statuses: everybody(401) },
  '/mcp': { statuses: everybody(401) },
  '/api/cron': { statuses: everybody(404) },
  '/api/hooks/issues/$project': { path: () => '/api/hooks/issues/42', statuses: everybody(405) },
  '/issues/': { path: () => '/issues', statuses: screen },
  '/outcomes': { statuses: screen },
  '/outcomes/dead-letters': { statuses: screen },
  '/projects/': { path: () => '/projects', statuses: screen },
  '/projects/$slug/': { path: () => `/projects/${projectSlug}`, statuses: object },
  '/projects/$slug/inbound': { path: () => `/projects/${projectSlug}/inbound`, statuses: working },
  '/projects/$slug/grouping': { path: () => `/projects/${projectSlug}/grouping`, statuses: working },
  '/projects/$slug/scrubbing': { path: () => `/projects/${projectSlug}/scrubbing`, statuses: working },
  '/projects/$slug/ownership': { path: () => `/projects/${projectSlug}/ownership`, statuses: working },
  '/projects/$slug/source-maps': { path: () => `/projects/${projectSlug}/source-maps`, statuses: object },
  '/projects/$slug/limits': { path: () => `/projects/${projectSlug}/limits`, statuses: working },
  '/projects/$slug/members': { path: () => `/projects/${projectSlug}/members`, statuses: object },
  '/projects/$slug/danger': { path: () => `/projects/${projectSlug}/danger`, statuses: looking },
  '/projects/$slug/alerts': { path: () => `/projects/${projectSlug}/alerts`, statuses: working },
  '/projects/new': { statuses: screen },
  '/settings/import': { statuses: screen },
  '/settings/import/upload': { statuses: everybody(405) },
  '/projects/$slug/setup': { path: () => `/projects/${projectSlug}/setup`, statuses: object },
  '/projects/$slug/keys': { path: () => `/projects/${projectSlug}/keys`, statuses: looking },
  '/projects/$slug/upstreams': { path: () => `/projects/${projectSlug}/upstreams`, statuses: looking },
  '/tunnel': { statuses: screen },
  '/docs/': { path: () => '/docs', statuses: screen },
  '/docs/$guide': { path: () => '/docs/serving', statuses: screen },
  '/performance/': { path: () => '/performance', statuses: screen },
  '/performance/$project/$transaction': {
    path: () => `/performance/${projectSlug}/${transactionId}`,
    statuses: object,
  },
  '/performance/$project/spans/$group': {
    path: () => `/performance/${projectSlug}/spans/${spanGroupId}`,
    statuses: object,
  },
  '/monitors/': { path: () => '/monitors', statuses: screen },
  '/monitors/new': { statuses: screen },
  '/monitors/new-uptime': { statuses: screen },
  '/monitors/$project/$slug': {
    path: () => `/monitors/${projectSlug}/none`,
    statuses: { ...everybody(404), anonymous: 303 },
  },
  '/releases/': { path: () => '/releases', statuses: screen },
  '/releases/$version': { path: () => '/releases/web@1.2.3', statuses: object },
  '/traces/$traceId': { path: () => `/traces/${'a'.repeat(32)}`, statuses: screen },
  '/digest/': { path: () => '/digest', statuses: screen },
  '/digest/$digest': { path: () => `/digest/${'f'.repeat(12)}`, statuses: screen },
  '/settings/': { path: () => '/settings', statuses: screen },
  '/settings/members': { statuses: screen },
  '/settings/tokens': { statuses: screen },
  '/settings/system': { statuses: screen },
  '/settings/notifications': { statuses: screen },
  '/settings/destinations': { statuses: screen },
  '/settings/status-page': { statuses: screen },
  '/status/$organization': { path: () => '/status/default', statuses: everybody(404) },
  '/alerts': { statuses: screen },
  '/inbox': { statuses: screen },
  '/unsubscribe/$token': { path: () => '/unsubscribe/none', statuses: everybody(200) },
  '/metrics': { statuses: everybody(404) },
  '/issues/$issueId': { path: () => `/issues/${issueId}`, statuses: object },
  '/issues/$issueId/events': { path: () => `/issues/${issueId}/events`, statuses: object },
  '/issues/$issueId/alerts': { path: () => `/issues/${issueId}/alerts`, statuses: object },
  '/issues/$issueId/tags': { path: () => `/issues/${issueId}/tags?key=environment`, statuses: object },
  '/events/$eventId': { path: () => `/events/${eventId}`, statuses: object },
  '/events/$eventId/markdown': { path: () => `/events/${eventId}/markdown`, statuses: file },
  '/events/$eventId/json': { path: () => `/events/${eventId}/json`, statuses: file },
  '/events/$eventId/attachments/$number': {
    path: () => `/events/${eventId}/attachments/1`,
    statuses: configured,
  },
  '/outcomes/dead-letters/$projectId/$letterId': {
    path: () => '/outcomes/dead-letters/42/none',
    statuses: configured,
  },
}

const needsInput = { ...everybody(404), anonymous: 303 }

/** The answers to a call without input. */
const functions: Record<string, Statuses> = {
  fetchShell: everybody(200),
  fetchLogin: everybody(200),
  fetchSetup: everybody(404),
  fetchInvite: everybody(404),
  fetchPasswordLink: everybody(404),
  fetchIssueList: needsInput,
  fetchIssueProgress: needsInput,
  fetchTagValues: needsInput,
  fetchIssue: needsInput,
  fetchPalette: needsInput,
  fetchIssueEvents: needsInput,
  fetchIssueTags: needsInput,
  fetchEvent: needsInput,
  fetchTrace: needsInput,
  fetchSpan: needsInput,
  fetchDigest: needsInput,
  fetchOutcomes: needsInput,
  fetchProjectList: screen,
  fetchProjectPage: needsInput,
  submitForm: everybody(404),
  fetchNewProject: screen,
  fetchTunnel: screen,
  fetchPerformance: needsInput,
  fetchSpanGroup: needsInput,
  fetchTransaction: needsInput,
  fetchMonitorList: needsInput,
  fetchNewMonitor: screen,
  fetchStatusPage: screen,
  fetchMonitor: needsInput,
  fetchReleaseList: needsInput,
  fetchRelease: needsInput,
  fetchDeadLetters: screen,
  fetchAccountSettings: screen,
  fetchMembers: screen,
  fetchSystem: screen,
  fetchImport: screen,
  fetchApiTokens: screen,
  fetchGuide: needsInput,
  fetchInbox: needsInput,
  fetchNotificationSettings: screen,
  fetchDestinations: needsInput,
  fetchLedger: needsInput,
  fetchIssueAlerts: needsInput,
  fetchUnsubscription: everybody(404),
}

describe('the access table', () => {
  it('has a row for each route of the route tree', () => {
    const tree = readFileSync(join(root, 'src/routeTree.gen.ts'), 'utf8')
    const [, list = ''] = /fullPaths:([^]*?)fileRoutesByTo/.exec(tree) ?? []
    const paths = [...list.matchAll(/'([^']+)'/g)].map(([, path = '']) => path)
    expect(paths.length).toBeGreaterThan(20)
    expect(Object.keys(routes).toSorted()).toEqual(paths.toSorted())
  })

  it('has a row for each server function of the build', () => {
    const names = [...listServerFunctions(root).keys()]
    expect(names.length).toBeGreaterThan(10)
    expect(Object.keys(functions).toSorted()).toEqual(names.toSorted())
  })
})

describe('a route', () => {
  it.each(Object.keys(routes))('gives each role the answer of the table: %s', async (name) => {
    const { path = () => name, statuses } = routes[name] ?? { statuses: everybody(0) }
    expect(await statusesOf((person) => send(person, path()))).toEqual(statuses)
  })
})

/** Errors that a function throws for the router have the status 200; these are their own statuses. */
async function meaningOf(answer: Response): Promise<number> {
  const text = await answer.text()
  if (answer.status === 200 && text.includes('"isSerializedRedirect":true')) return 303
  if (answer.status === 200 && text.includes('isNotFound')) return 404
  return answer.status
}

describe('a server function', () => {
  it.each(Object.keys(functions))('gives each role the answer of the table: %s', async (name) => {
    const { id, method } = listServerFunctions(root).get(name) ?? { id: '', method: 'GET' }
    const headers = { 'x-tsr-serverfn': 'true' }
    const ask = (person: AccessPerson) => send(person, `/_serverFn/${id}`, { method, headers })
    const statuses: Partial<Statuses> = {}
    for (const person of people) statuses[person] = await meaningOf(await ask(person))
    expect(statuses).toEqual(functions[name])
  })
})

describe('an action', () => {
  it.each(Object.values(actions))(
    'redirects everyone, and visitors without a session to the sign-in: $url',
    async ({ url }) => {
      const headers = { referer: `${server.origin}/issues` }
      const places: Partial<Record<AccessPerson, string | null>> = {}
      for (const person of people) {
        const answer = await send(person, url, { method: 'POST', body: new URLSearchParams(), headers })
        expect(answer.status).toBe(303)
        places[person] = answer.headers.get('location')
      }
      const signIn = { anonymous: '/login?to=%2Fissues' }
      expect(places).toEqual({
        ...Object.fromEntries(people.map((person) => [person, '/issues'])),
        ...signIn,
      })
    },
  )
})

describe('the data of a project', () => {
  it('is in no list of a user without access to it', async () => {
    const { name } = fixtureProject
    for (const path of ['/issues?status=all', '/projects', '/outcomes', `/digest/${eventId.slice(0, 12)}`]) {
      for (const person of ['outsider', 'elsewhere'] as const) {
        const html = await (await send(person, path)).text()
        expect(html).not.toContain(eventId)
        expect(html).not.toContain(issueId)
        expect(html).not.toContain(`>${name}<`)
      }
      const own = await (await send('viewer', path, { redirect: 'follow' })).text()
      expect(own).toMatch(new RegExp(`${eventId}|${issueId}|${name}`))
    }
  })

  it('is changed by members and above, and is 404 for others', async () => {
    const statuses: Partial<Statuses> = {}
    const found: Partial<Record<AccessPerson, unknown>> = {}
    const { connection } = server.services.store
    for (const person of people) {
      connection.exec(`UPDATE issues SET status = 'unresolved'`)
      const body = new URLSearchParams({ issueIds: issueId, status: 'resolved' })
      const answer = await send(person, actions.issueStatus.url, {
        method: 'POST',
        body,
        headers: { referer: `${server.origin}/issues/${issueId}` },
      })
      statuses[person] = answer.status
      found[person] = connection.prepare('SELECT status FROM issues').get()?.['status']
    }
    const untouched = {
      anonymous: 'unresolved',
      outsider: 'unresolved',
      elsewhere: 'unresolved',
      viewer: 'unresolved',
    }
    expect(found).toEqual({ ...untouched, member: 'resolved', admin: 'resolved', owner: 'resolved' })
    // Posted by a browser without scripts: back to the page, which shows the current state.
    expect(statuses.member).toBe(303)
  })

  it('offers its changes only to users who can make them', async () => {
    expect(await (await send('viewer', `/issues/${issueId}`)).text()).not.toContain('Archive')
    expect(await (await send('member', `/issues/${issueId}`)).text()).toContain('Archive')
  })
})

function post(person: AccessPerson, fields: Record<string, string>): Promise<Response> {
  return send(person, '/settings/members', { method: 'POST', body: new URLSearchParams(fields) })
}

describe('the members of an organization', () => {
  const invite = { action: 'invite', organization: '1', role: 'viewer', note: 'x', projects: 'all' }

  it('are invited by admins and owners', async () => {
    expect(await statusesOf((person) => post(person, invite))).toEqual({
      ...everybody(403),
      anonymous: 303,
      admin: 200,
      owner: 200,
    })
  })

  it('are made owners by owners only, and an organization keeps one', async () => {
    const promote = { ...invite, role: 'owner' }
    expect((await post('admin', promote)).status).toBe(403)
    expect((await post('owner', promote)).status).toBe(200)
    const html = await (await send('owner', '/settings/members')).text()
    const [, ownerId = ''] = new RegExp(`member-1-([\\w-]+)-role`).exec(html) ?? []
    expect(ownerId).not.toBe('')
    const { connection } = server.services.store
    const owner = String(
      connection
        .prepare(`SELECT user_id FROM memberships WHERE organization_id = 1 AND role = 'owner'`)
        .get()?.['user_id'],
    )
    const remove = { action: 'remove-member', organization: '1', user: owner }
    expect((await post('admin', remove)).status).toBe(403)
    expect((await post('owner', remove)).status).toBe(403)
    expect((await post('outsider', remove)).status).toBe(403)
  })
})

it('redirects to the sign-in when a session has just ended, without an error', async () => {
  const settings = () => send('elsewhere', '/settings')
  expect((await settings()).status).toBe(200)
  server.services.store.connection.exec(
    `DELETE FROM sessions WHERE user_id = (SELECT id FROM users WHERE name = 'elsewhere')`,
  )
  const answers = [
    await settings(),
    await send('elsewhere', '/settings', {
      method: 'POST',
      body: new URLSearchParams({ action: 'end-other-sessions' }),
    }),
  ]
  expect(answers.map(({ headers }) => headers.get('location'))).toEqual([
    '/login?to=%2Fsettings',
    '/login?to=%2Fsettings',
  ])
  // 307 by the read of the page's data, while the session is still in the memory of the first check; 303 by
  // that check as soon as it is not (after a second).
  expect([303, 307]).toContain(answers[0]?.status)
  expect(answers[1]?.status).toBe(303)
})
