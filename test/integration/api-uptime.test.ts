import { afterAll, expect, it } from 'vitest'
import { createApiCaller } from '#test/api-call.ts'
import { addToken, startApiServer } from '#test/api-server.ts'
import { fixtureProject } from '#test/start-server.ts'

const server = await startApiServer()
const call = createApiCaller(server.origin, await addToken(server, { name: 'owner' }))
const memberToken = await addToken(server, { name: 'member', role: 'member' })
const readToken = await addToken(server, { name: 'dashboard', scopes: ['project:read'] })
afterAll(() => server.stop())

const base = `/projects/default/${fixtureProject.name}/uptime/`
const shop = {
  name: 'Shop',
  url: 'https://127.0.0.1:9/health?key=secret',
  intervalSeconds: 300,
  timeoutMs: 5_000,
  headers: [['Authorization', 'Bearer secret']],
  body: 'secret',
  method: 'POST',
  downtimeThreshold: 1,
}

it('an uptime monitor is created, read, changed and deleted in the format of Sentry', async () => {
  const created = await call(base, { method: 'POST', body: shop })
  expect(created).toMatchObject({
    status: 201,
    json: {
      ...shop,
      status: 'active',
      uptimeStatus: 1,
      mode: 1,
      recoveryThreshold: 1,
      environment: 'production',
    },
  })
  const { id } = created.json as { id: string }
  expect((await call(`${base}${id}/`)).json).toEqual(created.json)
  expect((await call('/organizations/default/uptime/')).json).toEqual([created.json])
  // The address of this machine is not allowed: a failure, and no connection.
  await server.services.monitorClock.check()
  expect((await call(`${base}shop/checks/`)).json).toMatchObject([
    { checkStatus: 'failure', checkStatusReason: 'failure', httpStatusCode: null, environment: 'production' },
  ])
  expect((await call(`${base}shop/`)).json).toMatchObject({ uptimeStatus: 2 })
  const changed = await call(`${base}shop/`, {
    method: 'PUT',
    body: { name: 'The shop', status: 'disabled', intervalSeconds: 60 },
  })
  expect(changed.json).toMatchObject({ ...shop, name: 'The shop', status: 'disabled', intervalSeconds: 60 })
  expect((await call(`${base}shop/`, { method: 'DELETE' })).status).toBe(202)
  expect((await call(`${base}shop/`)).status).toBe(404)
})

it('a changed environment has the state and the checks of the former one', async () => {
  const path = `${base}moved/`
  await call(base, { method: 'POST', body: { ...shop, name: 'Moved' } })
  await server.services.monitorClock.check()
  const put = (environment: string) => call(path, { method: 'PUT', body: { environment } })
  expect((await put('a/b')).json).toEqual({ environment: [expect.any(String)] })
  const moved = await put('staging')
  expect(moved).toMatchObject({ status: 200, json: { environment: 'staging', uptimeStatus: 2 } })
  expect((await call(path)).json).toEqual(moved.json)
  expect((await call(`${path}checks/`)).json).toMatchObject([
    { checkStatus: 'failure', environment: 'staging' },
  ])
  // The next check has the same state, so there is still one environment.
  await server.services.monitorClock.check()
  const rows = await server.services.store.db
    .selectFrom('monitor_environments as e')
    .innerJoin('monitors as m', 'm.id', 'e.monitor_id')
    .select('e.environment')
    .where('m.slug', '=', 'moved')
    .execute()
  expect(rows).toEqual([{ environment: 'staging' }])
  await call(path, { method: 'DELETE' })
})

it.each([
  ['url', { ...shop, url: 'ftp://example.com/' }],
  ['intervalSeconds', { ...shop, intervalSeconds: 10 }],
  ['intervalSeconds', { ...shop, intervalSeconds: 0 }],
  ['timeoutMs', { ...shop, timeoutMs: 60_000 }],
  ['headers', { ...shop, headers: [['Host', 'elsewhere']] }],
  ['headers', { ...shop, headers: [['X', 'a\r\nb: c']] }],
  ['downtimeThreshold', { ...shop, downtimeThreshold: 0 }],
  ['name', { ...shop, name: '' }],
  ['name', { ...shop, name: undefined }],
])('an invalid %s is rejected by the name of the field', async (field, body) => {
  const rejected = await call(base, { method: 'POST', body })
  expect([rejected.status, Object.keys(rejected.json ?? {})]).toEqual([400, [field]])
})

it('a member sees neither the headers nor the query, and changes nothing; nor does an owner’s token that only reads', async () => {
  await call(base, { method: 'POST', body: { ...shop, name: 'Seen' } })
  for (const token of [memberToken, readToken]) {
    const seen = await call(`${base}seen/`, { token })
    const url = 'https://127.0.0.1:9/health'
    expect(seen.json).toMatchObject({ url, headers: [], body: null, badgeUrl: null })
    expect(JSON.stringify(seen.json)).not.toContain('secret')
  }
  const put = { token: memberToken, method: 'PUT', body: { name: 'Mine' } }
  expect((await call(`${base}seen/`, put)).status).toBe(403)
  expect((await call(`${base}seen/`, { token: memberToken, method: 'DELETE' })).status).toBe(403)
  expect((await call(base, { ...put, method: 'POST' })).status).toBe(403)
})

it('cron monitors and uptime monitors are separate', async () => {
  await call(base, { method: 'POST', body: { ...shop, name: 'Only uptime' } })
  expect((await call('/organizations/default/monitors/only-uptime/')).status).toBe(404)
  expect((await call('/organizations/default/monitors/')).json).toEqual([])
  const { id, publicKey } = fixtureProject
  await fetch(`${server.origin}/api/${id}/cron/only-uptime/${publicKey}/?status=ok`)
  await server.services.monitorClock.check()
  await server.services.committer.drain()
  const reasons = await server.services.store.db
    .selectFrom('outcome_hours')
    .select('reason')
    .where('category', '=', 'monitor')
    .execute()
  expect(reasons).toEqual([{ reason: 'monitor_uptime' }])
})

it.each([
  ['tcp://db.example.com:5432', { checkKind: 'tcp', certificateWarnDays: null, method: null }],
  ['tcp://[2001:db8::1]:5432', { checkKind: 'tcp' }],
  ['tls://shop.example.com', { checkKind: 'certificate', certificateWarnDays: 14 }],
  ['tls://shop.example.com:8443', { checkKind: 'certificate', certificateWarnDays: 30 }],
])('%s is checked without HTTP, and can be changed', async (url, expected) => {
  const name = `Port ${url}`.replaceAll(/[^a-z0-9]+/gi, ' ').trim()
  const { certificateWarnDays } = { certificateWarnDays: undefined, ...expected }
  const created = await call(base, { method: 'POST', body: { name, url, certificateWarnDays } })
  const port = url === 'tls://shop.example.com' ? ':443' : ''
  expect(created).toMatchObject({ status: 201, json: { ...expected, url: `${url}${port}` } })
  const { id } = created.json as { id: string }
  const slow = await call(`${base}${id}/`, { method: 'PUT', body: { intervalSeconds: 600, isMuted: true } })
  expect(slow.json).toMatchObject({ ...expected, url: `${url}${port}`, intervalSeconds: 600, isMuted: true })
  const moved = await call(`${base}${id}/`, { method: 'PUT', body: { url: 'https://shop.example.com/' } })
  expect(moved.json).toMatchObject({ checkKind: 'http', method: 'GET', followsRedirects: true })
  const back = await call(`${base}${id}/`, { method: 'PUT', body: { url } })
  expect(back.json).toMatchObject({ checkKind: expected.checkKind, url: `${url}${port}`, isMuted: true })
})

it.each([
  ['url', { url: 'tcp://db.example.com' }],
  ['url', { url: 'tcp://:5432' }],
  ['url', { url: 'tcp://db.example.com:70000' }],
  ['url', { url: 'tls://a/b:443' }],
  ['certificateWarnDays', { url: 'tls://db.example.com', certificateWarnDays: 0 }],
  ['owner', { url: 'tls://db.example.com', owner: 'user:nobody' }],
  ['owner', { url: 'tls://db.example.com', owner: 'team:' }],
])('an invalid %s of a port is rejected by the name of the field', async (field, body) => {
  const rejected = await call(base, { method: 'POST', body: { name: 'Port', ...body } })
  expect([rejected.status, Object.keys(rejected.json ?? {})]).toEqual([400, [field]])
})
