import { afterAll, expect, it } from 'vitest'
import { answerMonitorBadge } from '#server/console/monitors/badge.ts'
import { findPublicOrganization, listPublicMonitors } from '#server/store/monitors/status-page.ts'
import { createApiCaller } from '#test/api-call.ts'
import { addToken, startApiServer } from '#test/api-server.ts'
import { fixtureProject, otherProject } from '#test/start-server.ts'

const server = await startApiServer()
const call = createApiCaller(server.origin, await addToken(server, { name: 'owner' }))
const memberToken = await addToken(server, { name: 'member', role: 'member' })
afterAll(() => server.stop())

const base = '/organizations/default/monitors/'
const config = {
  schedule_type: 'crontab',
  schedule: '0 4 * * *',
  timezone: 'Europe/Berlin',
  checkin_margin: 5,
}
const nightly = { name: 'Nightly', project: fixtureProject.name, type: 'cron_job', config }
const post = (body: unknown, token?: string) => call(base, { method: 'POST', body, token })

it('a monitor is created, read, changed and deleted in the format of Sentry', async () => {
  const created = await post({ ...nightly, slug: 'nightly' })
  expect(created).toMatchObject({
    status: 201,
    json: {
      slug: 'nightly',
      name: 'Nightly',
      status: 'active',
      isMuted: false,
      config: { ...config, max_runtime: 30, failure_issue_threshold: 1, recovery_threshold: 1 },
      project: { slug: fixtureProject.name },
      environments: [],
    },
  })
  const interval = { schedule_type: 'interval', schedule: [2, 'hour'] }
  const changed = await call(`${base}nightly/`, {
    method: 'PUT',
    body: { name: 'Every two hours', status: 'disabled', isMuted: true, config: interval },
  })
  expect(changed.json).toMatchObject({
    name: 'Every two hours',
    status: 'disabled',
    isMuted: true,
    config: { schedule: [2, 'hour'], timezone: 'UTC', checkin_margin: 5 },
  })
  expect((await call(`${base}nightly/`)).json).toEqual(changed.json)
  expect((await call(base)).json).toEqual([changed.json])
  expect((await call(`${base}nightly/`, { method: 'DELETE' })).status).toBe(202)
  expect((await call(`${base}nightly/`)).status).toBe(404)
})

it('a changed crontab keeps its time zone unless the change names another one', async () => {
  await post({ ...nightly, slug: 'zoned' })
  const zones = []
  for (const timezone of [undefined, '', 'Asia/Tokyo']) {
    const body = { config: { schedule_type: 'crontab', schedule: '0 5 * * *', timezone } }
    zones.push((await call(`${base}zoned/`, { method: 'PUT', body })).json)
  }
  expect(zones).toMatchObject(
    ['Europe/Berlin', 'Europe/Berlin', 'Asia/Tokyo'].map((timezone) => ({
      config: { schedule: '0 5 * * *', timezone },
    })),
  )
})

it('a monitor is found by its slug although an uptime monitor of another project has the same', async () => {
  await post({ ...nightly, slug: 'shared' })
  const body = { name: 'shared', url: 'https://shop.example/' }
  await call(`/projects/default/${otherProject.name}/uptime/`, { method: 'POST', body })
  expect(await call(`${base}shared/`)).toMatchObject({ status: 200, json: { slug: 'shared' } })
})

it('a monitor has an owner, which a change of other fields keeps', async () => {
  const users = (await call('/organizations/default/users/')).json as { email: string }[]
  const email = users.map((user) => user.email).find((each) => each.startsWith('owner')) ?? ''
  const owned = await post({ ...nightly, slug: 'owned', owner: email })
  expect(owned).toMatchObject({ status: 201, json: { owner: { type: 'user', email } } })
  const { owner } = owned.json as { owner: { id: string } }
  const change = (body: unknown) => call(`${base}owned/`, { method: 'PUT', body })
  // Only what is sent changes.
  expect((await change({ isMuted: true })).json).toMatchObject({
    owner,
    isMuted: true,
    name: 'Nightly',
    config,
  })
  expect((await change({ owner: `user:${owner.id}` })).json).toMatchObject({ owner })
  expect((await change({ owner: 'team:crew' })).json).toMatchObject({
    owner: { type: 'team', id: 'crew', name: 'crew' },
  })
  expect((await call(base)).json).toContainEqual(expect.objectContaining({ slug: 'owned', isMuted: true }))
  expect((await change({ owner: null })).json).toMatchObject({ owner: null })
  expect(await change({ owner: 'stranger@example.com' })).toMatchObject({ status: 400 })
})

it('its badge has an address, for callers who may configure it', async () => {
  const { badgeUrl } = (await post({ ...nightly, slug: 'with-badge' })).json as { badgeUrl: string }
  const [, projectId = '', secret = ''] = /\/badge\/(\d+)\/(\w+\.svg)$/.exec(badgeUrl) ?? []
  const badge = await answerMonitorBadge(server.services, { projectId, secret })
  expect([badge.status, await badge.text()]).toEqual([200, expect.stringContaining('Nightly: waiting')])
  const asMember = await call(`${base}with-badge/`, { token: memberToken })
  expect(asMember).toMatchObject({ status: 200, json: { badgeUrl: null } })
})

it('a status page is published, and its monitors are named, by the form of its settings', async () => {
  const forms = '/organizations/default/forms/'
  const page = '/settings/status-page'
  const known = expect.arrayContaining(['isPublished']) as string[]
  expect((await call(forms)).json).toContainEqual(
    expect.objectContaining({ page, action: 'save', fields: known }) as object,
  )
  const { id } = (await post({ ...nightly, slug: 'public' })).json as { id: string }
  const name = `name-${fixtureProject.id}-${id}`
  const save = (fields: object, token?: string) =>
    call(forms, {
      method: 'POST',
      body: { page, action: 'save', fields },
      token,
    })
  expect(await save({ isPublished: 'on', [name]: 'x'.repeat(81) })).toMatchObject({
    status: 400,
    json: { [name]: ['Use at most 80 characters.'] },
  })
  expect((await save({ isPublished: 'on', [name]: 'Backups' }, memberToken)).status).toBe(403)
  expect(await save({ isPublished: 'on', [name]: 'Backups' })).toMatchObject({
    status: 200,
    json: { text: 'Status page published.' },
  })
  const { db } = server.services.store
  const organization = await findPublicOrganization(db, 'default')
  expect(await listPublicMonitors(db, organization?.id ?? 0)).toMatchObject([{ id, publicName: 'Backups' }])
})

it('includes the environments and check-ins that a client sent', async () => {
  await post({ ...nightly, slug: 'sent' })
  const { id, publicKey } = fixtureProject
  const checkIn = `${server.origin}/api/${id}/cron/sent/${publicKey}/`
  await fetch(`${checkIn}?status=ok&duration=1.5&environment=production`)
  await fetch(`${checkIn}?status=error&environment=staging`)
  await server.services.monitorClock.check()
  const one = await call(`${base}sent/`)
  expect(one.json).toMatchObject({
    environments: [
      { name: 'production', status: 'ok' },
      { name: 'staging', status: 'error' },
    ],
  })
  expect((await call(`${base}sent/checkins/`)).json).toMatchObject([
    { environment: 'production', status: 'ok', duration: 1_500 },
  ])
  expect((await call(`${base}sent/checkins/?environment=staging`)).json).toMatchObject([
    { environment: 'staging', status: 'error', duration: null },
  ])
  expect((await call(`${base}sent/checkins/?environment=none`)).json).toEqual([])
  // Clients also name the project in the path.
  const inProject = '/projects/default/fixture/monitors/sent/'
  expect((await call(inProject)).json).toEqual(one.json)
  expect((await call(`${inProject}checkins/`)).json).toHaveLength(1)
  expect((await call(inProject.replace('fixture', 'other'))).status).toBe(404)
})

it.each([
  ['schedule', { ...nightly, config: { ...config, schedule: '0 0 4 * * *' } }],
  ['timezone', { ...nightly, config: { ...config, timezone: 'Mars/Base' } }],
  ['max_runtime', { ...nightly, config: { ...config, max_runtime: 0 } }],
  ['schedule', { ...nightly, config: { schedule_type: 'interval', schedule: [0, 'hour'] } }],
  ['project', { ...nightly, project: 'nowhere' }],
  ['slug', { ...nightly, slug: '///' }],
  ['name', { ...nightly, name: '' }],
])('an invalid %s is rejected by the name of the field', async (field, body) => {
  const rejected = await post(body)
  expect([rejected.status, Object.keys(rejected.json ?? {})]).toEqual([400, [field]])
})

it('a slug in use, a missing monitor, and a role without the permission are rejected', async () => {
  await post({ ...nightly, slug: 'taken' })
  expect(await post({ ...nightly, slug: 'taken' })).toMatchObject({ status: 400 })
  expect((await call(`${base}missing/`, { method: 'DELETE' })).status).toBe(404)
  expect((await post({ ...nightly, slug: 'mine' }, memberToken)).status).toBe(403)
  const asMember = { token: memberToken, method: 'DELETE' }
  expect((await call(`${base}taken/`, asMember)).status).toBe(403)
  expect((await call(`${base}taken/`, { token: memberToken })).status).toBe(200)
})

const addNewer = (id: string) =>
  server.services.store.writer
    .insertInto('monitors')
    .values({
      project_id: fixtureProject.id,
      id,
      slug: `${id}-slug`,
      name: 'Newer',
      kind: 'cron',
      settings: '{}',
      is_paused: 0,
      is_muted: 0,
      badge_secret: id,
      config_problem: null,
      public_name: null,
      created_at: 0,
    })
    .execute()

it('a monitor that this version cannot read is deleted, by those who may delete a readable one', async () => {
  await addNewer('newer')
  await addNewer('newest')
  expect((await call(`${base}newest-slug/`, { method: 'DELETE' })).status).toBe(202)
  const path = `${base}newer-slug/`
  expect((await call(path)).status).toBe(404)
  expect((await call(path, { token: memberToken, method: 'DELETE' })).status).toBe(403)
  const form = { page: '/monitors', action: 'delete', fields: { monitor: 'newer' } }
  const submit = (token?: string) =>
    call('/organizations/default/forms/', {
      method: 'POST',
      body: form,
      token,
    })
  expect((await submit(memberToken)).status).toBe(403)
  expect(await submit()).toMatchObject({ status: 200, json: { text: 'Monitor deleted.' } })
  expect((await submit()).status).toBe(404)
  expect((await call(path, { method: 'DELETE' })).status).toBe(404)
})
