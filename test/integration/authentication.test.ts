import { afterAll, describe, expect, it } from 'vitest'
import { envelopeOf, errorEnvelope } from '#test/envelopes.ts'
import { anyString } from '#test/matchers.ts'
import { fixtureProject, otherProject, startServer } from '#test/start-server.ts'
import { storedEventIds } from '#test/stored-events.ts'

const { id, publicKey } = fixtureProject

const server = await startServer()
afterAll(() => server.stop())

interface Attempt {
  path?: string
  query?: string
  headers?: Record<string, string>
  body?: string
}

async function attempt({
  path = `/api/${id}/envelope/`,
  query = '',
  headers = {},
  body = errorEnvelope(),
}: Attempt) {
  const before = await storedCounts()
  const response = await fetch(`${server.origin}${path}${query}`, { method: 'POST', headers, body })
  const after = await storedCounts()
  return {
    status: response.status,
    answer: (await response.json()) as unknown,
    stored: after.map((n, at) => n - (before[at] ?? 0)),
  }
}

/** The keys of the fixture project and of another one. */
async function storedCounts(): Promise<number[]> {
  const { store } = server.services
  return [(await storedEventIds(store, id)).length, (await storedEventIds(store, otherProject.id)).length]
}

const sentryAuth = `Sentry sentry_version=7, sentry_client=test/1, sentry_key=${publicKey}`
const selfAuthenticated = errorEnvelope({ header: { dsn: `https://${publicKey}@errors.example.com/${id}` } })

/** As GlitchTip writes keys. */
const dashed = (key: string) => key.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

describe('a key', () => {
  it.each<[string, Attempt]>([
    ['in the query', { query: `?sentry_key=${publicKey}&sentry_version=7&sentry_client=a%2F1` }],
    ['in X-Sentry-Auth', { headers: { 'x-sentry-auth': sentryAuth } }],
    ['in Authorization', { headers: { authorization: sentryAuth } }],
    ['as the user of Basic', { headers: { authorization: `Basic ${btoa(`${publicKey}:`)}` } }],
    ['in lower-case scheme', { headers: { 'x-sentry-auth': `sentry sentry_key=${publicKey}` } }],
    ['in the envelope alone', { body: selfAuthenticated }],
    [
      'in all of them',
      {
        query: `?sentry_key=${publicKey}`,
        headers: { 'x-sentry-auth': sentryAuth, authorization: sentryAuth },
      },
    ],
    ['with the dashes of a UUID', { query: `?sentry_key=${dashed(publicKey)}` }],
    ['with a flag behind it', { query: `?sentry_key=${publicKey}:no-cache` }],
    [
      'next to a proxy’s own Authorization',
      { query: `?sentry_key=${publicKey}`, headers: { authorization: 'Basic YTpi' } },
    ],
    ['without a version', { query: `?sentry_key=${publicKey}` }],
    [
      'under a path with doubled slashes',
      { path: `//api//${id}///envelope//`, query: `?sentry_key=${publicKey}` },
    ],
    [
      'under a path without the last slash',
      { path: `/api/${id}/envelope`, query: `?sentry_key=${publicKey}` },
    ],
  ])('is accepted %s', async (_where, how) => {
    expect(await attempt(how)).toMatchObject({ status: 200, stored: [1, 0] })
  })

  it.each<[string, number, Attempt]>([
    ['missing', 401, {}],
    [
      'two different ones in the query',
      401,
      { query: `?sentry_key=${publicKey}&sentry_key=${otherProject.publicKey}` },
    ],
    [
      'query and header disagree',
      401,
      { query: `?sentry_key=${otherProject.publicKey}`, headers: { 'x-sentry-auth': sentryAuth } },
    ],
    [
      'query and user of Basic disagree',
      401,
      {
        query: `?sentry_key=${publicKey}`,
        headers: { authorization: `Basic ${btoa(`${otherProject.publicKey}:`)}` },
      },
    ],
    ['too short', 400, { query: '?sentry_key=abc' }],
    ['with dashes elsewhere', 400, { query: `?sentry_key=${publicKey.slice(0, 4)}-${publicKey.slice(4)}` }],
    ['not hexadecimal', 400, { query: `?sentry_key=${'g'.repeat(32)}` }],
    ['a header without the scheme', 401, { headers: { 'x-sentry-auth': `sentry_key=${publicKey}` } }],
    ['array syntax', 401, { query: `?sentry_key[]=${publicKey}` }],
    ['protocol version 8', 400, { query: `?sentry_key=${publicKey}&sentry_version=8` }],
    ['protocol version nonsense', 400, { query: `?sentry_key=${publicKey}&sentry_version=NaN` }],
    ['of another project', 403, { query: `?sentry_key=${otherProject.publicKey}` }],
    ['unknown', 403, { query: `?sentry_key=${'0'.repeat(32)}` }],
    ['project id no number', 400, { path: '/api/forty-two/envelope/', query: `?sentry_key=${publicKey}` }],
    ['project id a fraction', 400, { path: '/api/42.0/envelope/', query: `?sentry_key=${publicKey}` }],
    [
      'project id wrapped around',
      403,
      { path: '/api/18446744073709551658/envelope/', query: `?sentry_key=${publicKey}` },
    ],
    [
      'envelope names another project',
      400,
      {
        query: `?sentry_key=${publicKey}`,
        body: errorEnvelope({ header: { dsn: `http://${publicKey}@a/43` } }),
      },
    ],
    [
      'envelope names another key',
      400,
      {
        query: `?sentry_key=${publicKey}`,
        body: errorEnvelope({ header: { dsn: `http://${otherProject.publicKey}@a/42` } }),
      },
    ],
    ['envelope names no key at all', 401, { body: envelopeOf({ dsn: 'nonsense' }, ['event', {}]) }],
    ['body is not an envelope', 401, { body: 'hello' }],
    ['body is empty', 401, { body: '' }],
    [
      'envelope is cut off behind its header',
      400,
      { body: `${selfAuthenticated.split('\n')[0]}\n{"type":"event","length":9}\n{}` },
    ],
    ['envelope names a number', 401, { body: envelopeOf({ dsn: 42 }, ['event', {}]) }],
    ['envelope for another path', 400, { path: '/api/43/envelope/', body: selfAuthenticated }],
  ])('is rejected when %s: %i', async (_why, status, how) => {
    expect(await attempt(how)).toMatchObject({
      status,
      answer: { detail: anyString },
      stored: [0, 0],
    })
  })

  it('is rejected while it is disabled', async () => {
    const disabled = 'd15ab1ed'.repeat(4)
    await server.services.store.writer
      .insertInto('project_keys')
      .values({ project_id: id, public_key: disabled, label: 'old', is_active: 0, created_at: 0 })
      .execute()
    await server.services.projectKeys.refresh()
    expect(await attempt({ query: `?sentry_key=${disabled}` })).toMatchObject({ status: 403, stored: [0, 0] })
  })

  it('does not reveal whether the key or the project is unknown', async () => {
    const unknownKey = await attempt({ query: `?sentry_key=${'0'.repeat(32)}` })
    const unknownProject = await attempt({ path: '/api/999/envelope/', query: `?sentry_key=${publicKey}` })
    expect(unknownKey).toEqual(unknownProject)
  })
})
