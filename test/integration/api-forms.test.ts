import * as v from 'valibot'
import { afterAll, describe, expect, it } from 'vitest'
import { channels } from '#server/alerts/channels/channels.ts'
import { createApiCaller } from '#test/api-call.ts'
import { addToken, startApiServer } from '#test/api-server.ts'
import { errorEnvelope } from '#test/envelopes.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { fixtureProject } from '#test/start-server.ts'

/** Projects and keys in Sentry's shape, and the forms of the console for scripts. */

const server = await startApiServer()
const call = createApiCaller(server.origin, await addToken(server, { name: 'owner' }))
const admin = await addToken(server, { name: 'reader', scopes: ['project:read', 'event:read'] })
const member = await addToken(server, { name: 'member', role: 'member' })
afterAll(() => server.stop())

const org = '/organizations/default'
const post = (path: string, body: unknown, token?: string) => call(path, { method: 'POST', body, token })
const put = (path: string, body: unknown) => call(path, { method: 'PUT', body })
const submit = (page: string, action: string, fields: Record<string, string | string[]> = {}) =>
  post(`${org}/forms/`, { page, action, fields })

const findProjects = async (query: string, path = '/projects/') => {
  const { json } = await call(`${path}?query=${encodeURIComponent(query)}`)
  return v.parse(v.array(Project), json).map(({ slug }) => slug)
}

const send = async (id: number | string, publicKey: string) =>
  (await postEnvelope(server.origin, errorEnvelope(), { project: { id, publicKey } })).status

const invalid = (field: string, message: string) => ({
  status: 400,
  json: { [field]: [expect.stringContaining(message)] },
})

const countTokens = () =>
  server.services.store.connection.prepare('SELECT count(*) AS n FROM api_tokens').get()?.['n']

const Project = v.object({ id: v.string(), slug: v.string() })
const Key = v.object({ public: v.string(), projectId: v.number() })
const Keys = v.array(Key)
const Form = v.object({
  page: v.string(),
  action: v.string(),
  fields: v.array(v.string()),
  fieldsByChoice: v.record(v.string(), v.record(v.string(), v.array(v.string()))),
})

describe('a project', () => {
  it('is added, accepts events at once, is renamed and deleted', async () => {
    const added = await post(`${org}/projects/`, { name: 'Web shop', platform: 'javascript-react' })
    expect(added).toMatchObject({ status: 201, json: { name: 'Web shop', slug: 'web-shop' } })
    const { id } = v.parse(Project, added.json)
    const [key] = v.parse(Keys, (await call('/projects/default/web-shop/keys/')).json)
    expect((await call('/projects/default/web-shop/')).json).toMatchObject({ firstEvent: null })
    expect(await send(id, key?.public ?? '')).toBe(200)
    expect((await call('/projects/default/web-shop/')).json).toMatchObject({
      firstEvent: expect.any(String) as string,
    })
    expect(await put('/projects/default/web-shop/', { slug: 'shop' })).toMatchObject({
      status: 200,
      json: { id, slug: 'shop', name: 'Web shop', platform: 'javascript-react' },
    })
    expect(await call('/projects/default/shop/', { method: 'DELETE' })).toMatchObject({ status: 204 })
    expect((await call('/projects/default/shop/')).status).toBe(404)
    expect(await send(id, key?.public ?? '')).toBe(403)
  })

  it('is found by a part of its name, by its slug, its id and its public key', async () => {
    expect(await findProjects('FIXT')).toEqual(['fixture'])
    for (const query of ['slug:fixture', `id:${fixtureProject.id}`, `dsn:${fixtureProject.publicKey}`])
      expect([query, await findProjects(query), await findProjects(query, `${org}/projects/`)]).toEqual([
        query,
        ['fixture'],
        ['fixture'],
      ])
    expect(await findProjects('fixture !slug:fixture')).toEqual([])
    for (const query of [`dsn:${'0'.repeat(32)}`, 'team:web', 'slug:fixt'])
      expect([query, await findProjects(query)]).toEqual([query, []])
  })

  it('is added for clients that name a team', async () => {
    const added = await post('/teams/default/any/projects/', { name: 'Mobile', slug: 'mobile' })
    expect(added).toMatchObject({ status: 201, json: { slug: 'mobile' } })
  })

  it('is rejected with the invalid field, and nothing is created', async () => {
    const before = (await call(`${org}/projects/`)).json
    expect(await post(`${org}/projects/`, { name: ' ' })).toMatchObject({
      status: 400,
      json: { name: [expect.stringContaining('Enter a name')] },
    })
    expect(await post(`${org}/projects/`, { name: 'X', slug: fixtureProject.name })).toMatchObject({
      status: 400,
      json: { slug: [expect.stringContaining('Another project has the slug')] },
    })
    expect(await put('/projects/default/fixture/', { slug: 'Not A Slug' })).toMatchObject({
      status: 400,
      json: { slug: [expect.stringContaining('lower-case')] },
    })
    expect((await put('/projects/default/fixture/', {})).status).toBe(400)
    expect((await post(`${org}/projects/`, { name: 'Mine' }, member)).status).toBe(403)
    expect((await call(`${org}/projects/`)).json).toEqual(before)
  })

  it('of Culvert itself is not deleted', async () => {
    const { status, json } = await call('/projects/default/culvert/', { method: 'DELETE' })
    expect([status, json]).toEqual([400, { detail: expect.stringContaining('cannot be deleted') as string }])
  })
})

describe('a key', () => {
  const keys = '/projects/default/fixture/keys/'

  it('is added, limited, renamed and disabled', async () => {
    const added = await post(keys, { name: 'Web' })
    expect(added).toMatchObject({ status: 201, json: { name: 'Web', isActive: true, rateLimit: null } })
    const key = v.parse(Key, added.json)
    const path = `${keys}${key.public}/`
    expect(await put(path, { rateLimit: { window: 60, count: 100 } })).toMatchObject({
      status: 200,
      json: { name: 'Web', rateLimit: { window: 60, count: 100 } },
    })
    expect(await put(path, { name: 'Browser' })).toMatchObject({
      json: { name: 'Browser', rateLimit: { window: 60, count: 100 } },
    })
    expect(await put(path, { rateLimit: null })).toMatchObject({ json: { rateLimit: null } })
    expect(await send(key.projectId, key.public)).toBe(200)
    expect(await put(path, { isActive: false })).toMatchObject({ json: { isActive: false } })
    expect(await send(key.projectId, key.public)).toBe(403)
    expect((await call(path)).json).toMatchObject({ name: 'Browser', isActive: false })
  })

  it('is added with a limit, and deleting it disables it, as Terraform’s `sentry_key` does', async () => {
    const rateLimit = { window: 60, count: 100 }
    const added = await post(keys, { name: 'Limited', rateLimit })
    expect(added).toMatchObject({ status: 201, json: { name: 'Limited', rateLimit } })
    const { public: key, projectId } = v.parse(Key, added.json)
    const { origin } = server
    expect(added.json).toMatchObject({
      dsn: {
        secret: expect.stringContaining(`//${key}@`) as string,
        csp: `${origin}/api/${projectId}/csp-report/?sentry_key=${key}`,
        crons: `${origin}/api/${projectId}/cron/___MONITOR_SLUG___/${key}/`,
        otlp_traces: `${origin}/api/${projectId}/integration/otlp/v1/traces`,
      },
    })
    const path = `${keys}${key}/`
    expect((await put(path, { rateLimit: { window: 0, count: 0 } })).json).toMatchObject({ rateLimit: null })
    expect(await call(path, { method: 'DELETE' })).toMatchObject({ status: 204 })
    expect(await send(projectId, key)).toBe(403)
    expect((await call(`${keys}?status=inactive`)).json).toContainEqual(
      expect.objectContaining({ public: key }),
    )
    expect(JSON.stringify((await call(`${keys}?status=active`)).json)).not.toContain(key)
    const count = v.parse(Keys, (await call(keys)).json).length
    expect((await post(keys, { name: 'Bad', rateLimit: { window: 0, count: 1 } })).json).toEqual({
      rateLimit: [expect.any(String)],
    })
    expect((await call(keys)).json).toHaveLength(count)
  })

  it('is rejected with the invalid field', async () => {
    expect(await post(keys, { name: '' })).toMatchObject({
      status: 400,
      json: { name: [expect.any(String)] },
    })
    const path = `${keys}${fixtureProject.publicKey}/`
    expect(await put(path, { rateLimit: { window: 0, count: 1 } })).toMatchObject({
      status: 400,
      json: { rateLimit: [expect.any(String)] },
    })
    expect((await put(`${keys}${'0'.repeat(32)}/`, { isActive: false })).status).toBe(404)
  })
})

describe('a form of the console', () => {
  it('changes settings, which are read again', async () => {
    const saved = await submit('/projects/fixture/limits', 'retention', { days: '30', events: '5000' })
    expect(saved).toMatchObject({ status: 200, json: { text: expect.any(String) as string, shown: null } })
    const { json } = await call('/projects/default/fixture/settings/limits/')
    expect(JSON.stringify(json)).toContain('5000')
  })

  it('is about the organization in the path, and returns what it has created', async () => {
    const invited = await submit('/settings/members', 'invite', { role: 'member', projects: 'all' })
    expect(invited).toMatchObject({
      status: 200,
      json: { shown: { kind: 'invitation', link: expect.stringContaining('/invite/') as string } },
    })
    expect((await submit('/settings/members', 'rename-organization', { name: 'Acme' })).status).toBe(200)
    expect((await call(`${org}/`)).json).toMatchObject({ name: 'Acme' })
  })

  it('is rejected like on its page: with the field, without the permission, and if it does not exist', async () => {
    expect(await submit('/projects/fixture/limits', 'retention', { days: 'x' })).toMatchObject({
      status: 400,
      json: { days: [expect.any(String)] },
    })
    const form = { page: '/projects/fixture/limits', action: 'retention', fields: {} }
    expect((await post(`${org}/forms/`, form, member)).status).toBe(403)
    expect((await post(`${org}/forms/`, form, admin)).status).toBe(403)
    expect((await submit('/nowhere', 'save')).status).toBe(404)
    expect((await submit('/projects/fixture/limits', 'no-such-action')).status).toBe(400)
    expect((await post(`${org}/forms/`, { page: 7, fields: { a: 1 } })).status).toBe(400)
    expect((await post(`${org}/forms/`, 'no json')).status).toBe(400)
  })

  it('is not found for a project that does not exist, or that the user has no access to', async () => {
    const hidden = await post(`${org}/projects/`, { name: 'Hidden' })
    expect(hidden.status).toBe(201)
    const limited = await addToken(server, { name: 'limited', role: 'member' })
    server.services.store.connection.exec(
      `UPDATE memberships SET has_all_projects = 0 WHERE user_id = (SELECT id FROM users WHERE name = 'limited')`,
    )
    server.services.accounts.forgetViewers()
    const answers = await Promise.all(
      ['nowhere', 'hidden', 'fixture'].flatMap((slug) =>
        [`/projects/${slug}/limits`, `/projects/${slug}/danger`, `/monitors/${slug}/nightly`].map((page) =>
          post(`${org}/forms/`, { page, action: 'save' }, limited),
        ),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404, 404, 404, 404])
    const [missing, , , inaccessible] = answers
    expect(missing?.json).toEqual(inaccessible?.json)
    expect((await submit('/projects/nowhere/limits', 'retention')).status).toBe(404)
  })

  it.each([
    ['/settings/tokens', 'create', { name: 'more', scopes: ['org:admin'] }],
    ['/settings', 'change-password', { password: 'x', newPassword: 'y' }],
    ['/login', 'password', { email: 'owner@example.com', password: 'a password for tests' }],
    ['/settings/tokens/', 'create', { name: 'more', scopes: ['org:admin'] }],
  ])('of %s is not accepted', async (page, action, fields) => {
    const before = countTokens()
    const { status, json } = await submit(page, action, fields)
    expect([status, json]).toEqual([
      403,
      { detail: expect.stringMatching(/^A token cannot submit/) as string },
    ])
    expect(countTokens()).toBe(before)
  })

  it('about members rejects what would change nothing, with the invalid field', async () => {
    const page = '/projects/fixture/members'
    expect(await submit('/settings/members', 'invite', { role: 'admn' })).toMatchObject(
      invalid('role', 'viewer, member, admin, owner'),
    )
    for (const action of ['add', 'remove']) {
      expect(await submit(page, action, { user: 'nobody' })).toMatchObject(invalid('user', 'Choose a member'))
      const { json } = await call('/users/me/')
      const { id } = v.parse(v.object({ id: v.string() }), json)
      expect(await submit(page, action, { user: id })).toMatchObject(
        invalid('user', 'access to all projects'),
      )
    }
  })

  it('is listed with its fields', async () => {
    const { json } = await call(`${org}/forms/`)
    expect(json).toContainEqual({
      page: '/projects/$slug/scrubbing',
      action: 'save',
      fields: ['isOn', 'rules', 'fields', 'excludedFields', 'ipAddresses'],
      fieldsByChoice: {},
    })
    const forms = v.parse(v.array(Form), json)
    const add = forms.find(({ page, action }) => page === '/settings/destinations' && action === 'add')
    expect(add?.fieldsByChoice['channel']).toMatchObject({ email: ['setting-to'] })
    expect(Object.keys(add?.fieldsByChoice['channel'] ?? {})).toEqual(channels.map(({ kind }) => kind))
    expect(forms.find(({ page }) => page === '/settings/status-page')?.fields).toContain(
      'name-$project-$monitor',
    )
    expect(JSON.stringify(json)).not.toContain('/settings/tokens')
  })
})
