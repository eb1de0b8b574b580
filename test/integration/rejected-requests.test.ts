import { gzipSync } from 'node:zlib'
import { makeNodeTransport, NodeClient } from '@sentry/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtInProjectId } from '#server/first-projects.ts'
import { limits } from '#server/limits.ts'
import { countRejectedRequests } from '#server/store/outcomes/rejected-requests.ts'
import { createProject } from '#server/store/projects/projects.ts'
import { updateProjectSettings } from '#server/store/projects/settings.ts'
import { errorEnvelope } from '#test/envelopes.ts'
import { addUser, cookieOf } from '#test/session.ts'
import { fixtureProject, otherProject, startServer, type TestServer } from '#test/start-server.ts'
import { countedOutcomes } from '#test/stored-events.ts'
import { startConsole } from '#test/test-console.ts'
import { appConfig } from '../../app.config.ts'

/** `ID` and `KEY` are replaced by those of a project for one test. */
const auth = 'sentry_key=KEY&sentry_client=sentry.python/2.30.0'
const unknownKey = 'f'.repeat(32)

const server = await startServer()
afterAll(() => server.stop())

interface Attempt {
  path: string
  body?: string | Uint8Array<ArrayBuffer>
  headers?: Record<string, string>
}

const post = ({ path, body = 'x', headers = {} }: Attempt): Promise<Response> =>
  fetch(`${server.origin}${path}`, { method: 'POST', headers, body })

/** Sends a request to a new project. */
async function sendToNewProject({ path, body = 'x', headers = {} }: Attempt) {
  const { store, projectKeys } = server.services
  const { id, publicKey } = await createProject(store, { name: 'New' })
  await projectKeys.refresh()
  const insert = (text: string) => text.replaceAll('ID', String(id)).replaceAll('KEY', publicKey)
  const sent = typeof body === 'string' ? insert(body) : body
  const { status } = await post({ path: insert(path), body: sent, headers })
  return { id, status }
}

async function outcomesOf(projectId: number): Promise<Record<string, number>> {
  await server.services.rejectedCounts.flush()
  return countedOutcomes(server.services.store, projectId)
}

async function listSamples(projectId: number) {
  await server.services.rejectedCounts.flush()
  return server.services.store.db
    .selectFrom('filter_samples')
    .selectAll()
    .where('project_id', '=', projectId)
    .execute()
}

const envelopeWithDsn = (dsn: string) => Buffer.from(errorEnvelope({ header: { dsn } })).toString()

const envelopePath = `/api/ID/envelope/?${auth}`
const storePath = `/api/ID/store/?${auth}`

describe('a rejected request', () => {
  it.each<[string, Attempt, number, string]>([
    ['a broken envelope', { path: envelopePath, body: '{}\nno json\n' }, 400, 'invalid_envelope'],
    [
      'an envelope for another key',
      { path: envelopePath, body: envelopeWithDsn(`http://${unknownKey}@x/ID`) },
      400,
      'invalid_envelope',
    ],
    [
      'an unsupported content encoding',
      { path: envelopePath, headers: { 'content-encoding': 'compress' } },
      415,
      'invalid_compression',
    ],
    [
      'broken compression',
      { path: envelopePath, headers: { 'content-encoding': 'gzip' } },
      400,
      'invalid_compression',
    ],
    [
      'too large a body',
      {
        path: envelopePath,
        body: gzipSync(Buffer.alloc(limits.ingestBodyBytes + 1)),
        headers: { 'content-encoding': 'gzip' },
      },
      413,
      'too_large',
    ],
    ['an event that is not JSON', { path: storePath, body: '{"message":' }, 400, 'invalid_json'],
    ['no event', { path: storePath, body: ' ' }, 400, 'no_data'],
    [
      'a report of another type',
      { path: `/api/ID/security/?${auth}`, headers: { 'content-type': 'text/plain' } },
      415,
      'content_type',
    ],
    [
      'files that are not a form',
      { path: `/api/ID/events/${'a'.repeat(32)}/attachments/?${auth}` },
      415,
      'content_type',
    ],
    ['an unknown key', { path: `/api/ID/envelope/?sentry_key=${unknownKey}` }, 403, 'project_id'],
    [
      'a key of another project',
      { path: `/api/ID/store/?sentry_key=${otherProject.publicKey}` },
      403,
      'project_id',
    ],
    ['a malformed key', { path: `/api/ID/envelope/?sentry_key=abc` }, 400, 'auth_client'],
    ['no key', { path: `/api/ID/store/` }, 401, 'auth_client'],
    ['no key in the envelope', { path: `/api/ID/envelope/`, body: '{}\n' }, 401, 'auth_client'],
    [
      'an unknown version',
      { path: `/api/ID/envelope/?sentry_key=KEY&sentry_version=9` },
      400,
      'auth_version',
    ],
    ['an endpoint that is not here', { path: `/api/ID/minidump/?${auth}` }, 404, 'feature_disabled'],
    [
      'a page of the tunnel that is not listed',
      {
        path: `${appConfig.tunnelPath}?o=1&p=ID`,
        body: envelopeWithDsn('http://KEY@x/ID'),
        headers: { origin: 'https://shop.example' },
      },
      403,
      'cors',
    ],
    [
      'an unknown key in the tunnel',
      {
        path: `${appConfig.tunnelPath}?o=1&p=ID`,
        body: envelopeWithDsn(`http://${unknownKey}@x/ID`),
      },
      403,
      'project_id',
    ],
    [
      'a broken envelope in the tunnel',
      { path: `${appConfig.tunnelPath}?o=1&p=ID`, body: 'x' },
      400,
      'invalid_envelope',
    ],
  ])('is counted once, with a sample: %s', async (...row) => {
    const [, attempt, expectedStatus, reason] = row
    const { id, status } = await sendToNewProject(attempt)
    expect(status).toBe(expectedStatus)
    expect(await outcomesOf(id)).toEqual({ [`unknown invalid ${reason}`]: 1 })
    const [sample, ...others] = await listSamples(id)
    expect(others).toEqual([])
    expect(sample).toMatchObject({ reason, category: 'unknown' })
    expect(sample?.title).toMatch(new RegExp(`^${status}: .{5,}`))
    const { store, clock } = server.services
    const counts = await countRejectedRequests(store.db, { projectId: id, now: clock() })
    expect(counts).toEqual([{ reason, requestCount: 1 }])
  })

  it('is counted for the project of the key if the project is disabled', async () => {
    const { store, projectKeys } = server.services
    const { id, publicKey } = await createProject(store, { name: 'Disabled' })
    await updateProjectSettings(store, id, () => ({ intake: { isOn: false } }))
    await projectKeys.refresh()
    expect((await post({ path: `/api/store/?sentry_key=${publicKey}` })).status).toBe(403)
    expect(await outcomesOf(id)).toEqual({ 'unknown invalid project_state': 1 })
  })

  it('has a sample of its client, and nothing of body, query or unknown headers', async () => {
    const { id } = await sendToNewProject({
      path: `${envelopePath}&token=secret-query`,
      body: 'secret-body',
      headers: {
        origin: 'https://user:secret-login@shop.example/secret-path',
        'content-type': 'text/secret header; x=secret',
        'user-agent': 'secret-agent',
        cookie: 'secret-cookie',
      },
    })
    const [sample] = await listSamples(id)
    const payload = Buffer.from(sample?.payload ?? []).toString()
    expect(JSON.parse(payload)).toEqual({
      method: 'POST',
      endpoint: 'envelope',
      project: String(id),
      client: 'sentry.python/2.30.0',
      origin: 'https://shop.example',
      content_length: '11',
    })
    expect(`${payload}${sample?.title}`).not.toMatch(/secret/)
  })
})

describe('requests with unknown projects and keys', () => {
  it('are counted for Culvert itself, in one row and one sample, regardless of their number', async () => {
    const { db } = server.services.store
    const rowsBefore = await db.selectFrom('outcome_hours').selectAll().execute()
    for (let index = 0; index < 200; index += 1) {
      const path = `/api/${900_000 + index}/envelope/?sentry_key=${index.toString(16).padStart(32, '0')}`
      expect((await post({ path })).status).toBe(403)
    }
    expect(await outcomesOf(builtInProjectId)).toEqual({ 'unknown invalid project_id': 200 })
    expect(await listSamples(builtInProjectId)).toHaveLength(1)
    const rows = await db.selectFrom('outcome_hours').selectAll().execute()
    // Two if an hour begins meanwhile.
    expect(rows.length - rowsBefore.length).toBeLessThanOrEqual(2)
  })
})

describe('the pages of a project', () => {
  let consoleServer: TestServer
  let cookie: string
  beforeAll(async () => {
    consoleServer = await startConsole()
    await addUser(consoleServer.services.store)
    cookie = await cookieOf(consoleServer.origin)
  }, 120_000)
  afterAll(() => consoleServer.stop())

  it('show that a real SDK uses a wrong key', async () => {
    const { host } = new URL(consoleServer.origin)
    const client = new NodeClient({
      dsn: `http://${unknownKey}@${host}/${fixtureProject.id}`,
      transport: makeNodeTransport,
      stackParser: () => [],
      integrations: [],
    })
    client.init()
    client.captureMessage('Never arrives')
    await client.flush(5_000)
    const { rejectedCounts, clock } = consoleServer.services
    // Items of other requests, which have the same reason.
    const items = { category: 'span', outcome: 'invalid', reason: 'project_id', quantity: 192_000 } as const
    rejectedCounts.add({ ...items, projectId: fixtureProject.id, at: clock() })
    await rejectedCounts.flush()
    const slug = fixtureProject.name
    const html = async (path: string) => {
      const response = await fetch(consoleServer.origin + path, { headers: { accept: 'text/html', cookie } })
      return (await response.text()).replaceAll('<!-- -->', '')
    }
    for (const path of [`/projects/${slug}`, `/projects/${slug}/setup`]) {
      expect(await html(path)).toContain('1 request with an unknown or disabled key')
    }
    const outcomes = await html(`/outcomes?project=${slug}`)
    expect(outcomes).toContain('Rejected requests')
    expect(outcomes).toMatch(/<code>project_id<\/code> <span class="quiet">1 request</)
    expect(outcomes).toContain('403: unknown key')
    expect(outcomes).toContain('sentry.javascript.node')
  })
})
