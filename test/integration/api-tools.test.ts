import * as v from 'valibot'
import { afterAll, describe, expect, it } from 'vitest'
import { updateProjectSettings } from '#server/store/projects/settings.ts'
import { createApiCaller } from '#test/api-call.ts'
import { addToken, sendError, startApiServer } from '#test/api-server.ts'
import { envelopeOf } from '#test/envelopes.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { fixtureProject, otherProject } from '#test/start-server.ts'

/** Requests of scripts and tools in addition to lists of issues and releases. */

const eventId = 'feedfeed'.repeat(4)

const server = await startApiServer()
const call = createApiCaller(server.origin, await addToken(server, { name: 'owner' }))
const viewerToken = await addToken(server, { name: 'viewer', role: 'viewer' })
const event = {
  event_id: eventId,
  environment: 'staging',
  level: 'warning',
  tags: { region: 'eu' },
  user: { id: '7' },
  transaction: '/cart',
  contexts: {
    browser: { name: 'Firefox', version: '132.0' },
    os: { name: 'Linux' },
    device: { family: 'PC', model: 'X1' },
  },
  exception: {
    values: [
      {
        type: 'StockError',
        value: 'none left',
        mechanism: { type: 'chained', exception_id: 1, parent_id: 0, is_exception_group: true },
      },
    ],
  },
  threads: { values: [{ id: 1, name: 'main', crashed: true }] },
}
const envelope = envelopeOf({ event_id: eventId }, ['event', event], ['attachment', 'a,b\n1,2\n']).replace(
  '"type":"attachment"',
  '"type":"attachment","filename":"stock.csv","content_type":"text/csv"',
)
await postEnvelope(server.origin, envelope)
for (let number = 0; number < 3; number += 1)
  await sendError(server, { type: `Error${number}`, release: 'shop@1.0.0' })
await sendError(server, { type: 'Elsewhere', release: 'other@2.0.0' }, otherProject)
afterAll(() => server.stop())

const org = '/organizations/default'
const project = '/projects/default/fixture'
const issueOf = (title: string) =>
  String(server.services.store.connection.prepare('SELECT id FROM issues WHERE title = ?').get(title)?.['id'])
const statusOf = (title: string) =>
  server.services.store.connection.prepare('SELECT status FROM issues WHERE title = ?').get(title)?.['status']

const findEvents = (query: string) =>
  call(`/issues/${issueOf('StockError')}/events/?query=${encodeURIComponent(query)}`)
const remove = (path: string, token?: string) => call(path, { method: 'DELETE', token })
const put = (path: string, body: unknown, token?: string) => call(path, { method: 'PUT', body, token })
const names = (json: unknown) =>
  v.parse(v.array(v.object({ name: v.string() })), json).map(({ name }) => name)

describe('a project', () => {
  it('counts its events over time, as before stats_v2', async () => {
    const Points = v.array(v.tuple([v.number(), v.number()]))
    const count = async (parameters: string, path = project) => {
      const { json } = await call(`${path}/stats/?${parameters}`)
      return v.parse(Points, json).reduce((sum, [, quantity]) => sum + quantity, 0)
    }
    const now = Math.floor(Date.now() / 1_000)
    expect(await count('stat=received')).toBe(4)
    expect(await count(`stat=generated&since=${now - 7_200}&until=${now + 60}&resolution=1h`)).toBe(4)
    expect(await count('stat=blacklisted')).toBe(0)
    expect(await count(`since=${now - 14_400}&until=${now - 7_200}`)).toBe(0)
    for (const wrong of ['stat=odd', 'since=yesterday', 'resolution=x'])
      expect([wrong, (await call(`${project}/stats/?${wrong}`)).status]).toEqual([wrong, 400])
  })
})

describe('a list of issues', () => {
  it('has the issues of the projects in `projectSlug`, which must exist', async () => {
    expect((await call(`${org}/issues/?projectSlug=other`)).json).toMatchObject([
      { title: 'Elsewhere: x is not a function' },
    ])
    expect((await call(`${org}/issues/?projectSlug=$all`)).json).toHaveLength(5)
    expect((await call(`${org}/issues/?projectSlug=nowhere`)).status).toBe(404)
  })

  it('counts the matches', async () => {
    const { headers } = await call(`${org}/issues/?limit=1&query=is:unresolved`)
    expect(headers.get('x-hits')).toBe('5')
    expect(headers.get('x-max-hits')).toBe('1000')
    expect((await call(`${org}/issues/?query=level:warning`)).headers.get('x-hits')).toBe('1')
  })

  it.each(['inbox', 'priority', 'recommended', 'trends'])('is sorted by %s', async (sort) => {
    expect((await call(`${org}/issues/?sort=${sort}`)).status).toBe(200)
  })

  it('has the priority of each, which is derived from its level', async () => {
    const { json } = await call(`${org}/issues/?query=level:warning`)
    expect(json).toMatchObject([{ priority: 'medium', level: 'warning' }])
  })

  it('is counted by its query', async () => {
    const query = 'query=is:unresolved&query=level:warning&query=is:resolved'
    const { json } = await call(`${org}/issues-count/?${query}`)
    expect(json).toEqual({ 'is:unresolved': 5, 'level:warning': 1, 'is:resolved': 0 })
    expect((await call(`${org}/issues-count/?query=bookmarks:me`)).status).toBe(400)
  })
})

describe('the endpoint stacktrace-link', () => {
  const path = `${project}/stacktrace-link/`
  const commit = 'a'.repeat(40)

  it('needs a repository, the path of a frame, and a path in the repository', async () => {
    expect((await call(path)).status).toBe(400)
    expect((await call(`${path}?file=src/cart.ts`)).json).toMatchObject({
      sourceUrl: null,
      error: 'no_repository',
    })
    const sourceLinks = {
      host: 'gitlab',
      url: 'https://gitlab.com/acme/shop',
      branch: 'main',
      roots: [],
    } as const
    await updateProjectSettings(server.services.store, fixtureProject.id, () => ({
      sourceLinks: { ...sourceLinks, roots: [] },
    }))
    expect((await call(`${path}?file=/app/src/cart.ts&lineNo=7`)).json).toMatchObject({
      sourceUrl: null,
      error: 'stack_root_mismatch',
    })
    expect((await call(`${path}?file=src/cart.ts&lineNo=7&release=shop@${commit}`)).json).toEqual({
      config: { provider: { key: 'gitlab' }, repoUrl: 'https://gitlab.com/acme/shop', defaultBranch: 'main' },
      sourceUrl: `https://gitlab.com/acme/shop/-/blob/${commit}/src/cart.ts#L7`,
      integrations: [],
    })
  })

  it.each([
    ['github', `/blob/${commit}/src/cart.ts#L7`],
    ['gitlab', `/-/blob/${commit}/src/cart.ts#L7`],
    ['gitea', `/src/commit/${commit}/src/cart.ts#L7`],
    ['bitbucket', `/src/${commit}/src/cart.ts#lines-7`],
  ] as const)('answers with the address of a line on %s', async (host, line) => {
    const url = 'https://code.example/acme/shop'
    await updateProjectSettings(server.services.store, fixtureProject.id, () => ({
      sourceLinks: { host, url, branch: 'main', roots: [] },
    }))
    const { json } = await call(`${path}?file=src/cart.ts&lineNo=7&commitId=${commit}`)
    expect(json).toMatchObject({ config: { provider: { key: host } }, sourceUrl: `${url}${line}` })
  })
})

describe('issues', () => {
  it('are changed by their query', async () => {
    const { json } = await put(`${org}/issues/?query=error.type:Error1`, { status: 'ignored' })
    expect(json).toEqual({ status: 'ignored' })
    expect([statusOf('Error1'), statusOf('Error2')]).toEqual(['archived', 'unresolved'])
    expect((await put(`${org}/issues/?query=project:nowhere`, { status: 'resolved' })).status).toBe(204)
    expect((await put(`${org}/issues/?query=is:odd`, { status: 'resolved' })).status).toBe(400)
    expect((await put(`${org}/issues/?query=Error`, { merge: 1 })).status).toBe(400)
  })

  it('are all changed at once without a project', async () => {
    expect((await put(`${org}/issues/`, { status: 'resolved' })).status).toBe(400)
    expect(statusOf('Elsewhere')).toBe('unresolved')
  })

  it('are resolved in the latest release of their project', async () => {
    const body = { status: 'resolved', statusDetails: { inRelease: 'latest' } }
    for (const [title, inRelease] of [
      ['Error2', 'shop@1.0.0'],
      ['Elsewhere', 'other@2.0.0'],
    ] as const) {
      const { json } = await put(`/issues/${issueOf(title)}/`, body)
      expect(json).toMatchObject({ status: 'resolved', statusDetails: { inRelease } })
    }
    const both = await put(`${org}/issues/?id=${issueOf('Error2')}&id=${issueOf('Elsewhere')}`, body)
    expect(both.status).toBe(200)
  })

  it('are not returned to a token that may only change them', async () => {
    const token = await addToken(server, { name: 'writer', scopes: ['event:write'] })
    const id = issueOf('Error0')
    expect((await put(`/issues/${id}/`, { status: 'resolved' }, token)).json).toEqual({
      id,
      status: 'resolved',
    })
    expect((await put(`/issues/${id}/`, {}, token)).json).toEqual({ id, status: 'resolved' })
    expect((await call(`/issues/${id}/`, { token })).status).toBe(403)
  })

  it('have comments', async () => {
    const path = `/issues/${issueOf('Error0')}/comments/`
    const added = await call(path, { method: 'POST', body: { text: 'Seen **twice**' } })
    expect(added).toMatchObject({
      status: 201,
      json: { data: { text: 'Seen **twice**' }, user: { name: 'owner' } },
    })
    expect((await call(path.replace('comments', 'notes'))).json).toEqual([added.json])
    expect((await call(path, { method: 'POST', body: { text: ' ' } })).status).toBe(400)
    expect((await call(path, { method: 'POST', body: { text: 'x' }, token: viewerToken })).status).toBe(403)
  })

  it('have their activity under Sentry’s names, newest first', async () => {
    const id = issueOf('StockError')
    const user = { name: 'owner' }
    await put(`/issues/${id}/`, { status: 'resolved', statusDetails: { inNextRelease: true } })
    await put(`/issues/${id}/`, { assignedTo: 'owner@example.com' })
    await put(`/issues/${id}/`, { assignedTo: '' })
    await put(`/issues/${id}/`, { status: 'ignored', ignoreCount: 9 })
    await put(`/issues/${id}/`, { status: 'unresolved' })
    await call(`/issues/${id}/notes/`, { method: 'POST', body: { text: 'Sold out' } })
    const activity = [
      { type: 'note', user, data: { text: 'Sold out' } },
      { type: 'set_unresolved', user },
      { type: 'set_ignored', user, data: { ignoreCount: 9 } },
      { type: 'unassigned', user },
      { type: 'assigned', user, data: { assigneeType: 'user', assigneeName: 'owner' } },
      { type: 'set_resolved_in_release', user, data: { version: '' } },
      { type: 'first_seen', user: null },
    ]
    expect((await call(`${org}/issues/${id}/activities/`)).json).toMatchObject({ activity })
    expect((await call(`/issues/${id}/`)).json).toMatchObject({ activity })
  })

  it('have in their activity the count of a condition as it was set, also after it was reached', async () => {
    await sendError(server, { type: 'Archived' })
    const id = issueOf('Archived')
    await put(`/issues/${id}/`, { status: 'ignored', ignoreCount: 2, ignoreUserCount: 5 })
    for (let sent = 0; sent < 2; sent += 1) await sendError(server, { type: 'Archived' })
    const reached = [
      { type: 'set_unresolved', data: { reason: 'events' } },
      { type: 'set_ignored', data: { ignoreCount: 2, ignoreUserCount: 5 } },
      { type: 'first_seen' },
    ]
    expect((await call(`/issues/${id}/`)).json).toMatchObject({ activity: reached })
  })

  it('have links to issues of trackers', async () => {
    const path = `/issues/${issueOf('Error1')}/external-issues/`
    for (const webUrl of [
      'https://github.com/acme/shop/issues/12',
      'https://acme.atlassian.net/browse/SHOP-3',
    ])
      expect((await call(path, { method: 'POST', body: { webUrl } })).status).toBe(201)
    expect((await call(path)).json).toMatchObject([
      { serviceType: 'jira', displayName: 'SHOP-3' },
      { serviceType: 'github', displayName: 'acme/shop#12' },
    ])
  })

  it('have the values of their tags', async () => {
    const { json } = await call(`/issues/${issueOf('StockError')}/tags/region/values/`)
    expect(json).toMatchObject([{ key: 'region', value: 'eu', count: 1 }])
  })
})

describe('issues to delete', () => {
  it('are deleted by admins, one or several, with the scope for it', async () => {
    for (const type of ['Gone1', 'Gone2', 'Gone3']) await sendError(server, { type })
    const [first, second, third] = ['Gone1', 'Gone2', 'Gone3'].map(issueOf)
    const writer = await addToken(server, { name: 'cleaner', scopes: ['event:read', 'event:write'] })
    const member = await addToken(server, { name: 'one-member', role: 'member' })
    for (const token of [writer, member]) expect((await remove(`/issues/${first}/`, token)).status).toBe(403)
    expect(await put(`/issues/${first}/`, { discard: true })).toMatchObject({
      status: 400,
      json: { discard: [expect.any(String)] },
    })
    expect((await remove(`/issues/${first}/`)).status).toBe(202)
    expect((await remove(`${project}/issues/?id=${second}&id=${third}`)).status).toBe(204)
    for (const id of [first, second, third]) expect((await call(`/issues/${id}/`)).status).toBe(404)
    expect((await remove(`${org}/issues/?id=${second}`)).status).toBe(404)
    expect((await remove(`${org}/issues/`)).status).toBe(400)
  })
})

describe('events', () => {
  it('have the tags that the console shows and counts, including those of their contexts', async () => {
    const tags: unknown = expect.arrayContaining([
      { key: 'browser', value: 'Firefox 132.0' },
      { key: 'browser.name', value: 'Firefox' },
      { key: 'device', value: 'X1' },
      { key: 'device.family', value: 'PC' },
      { key: 'environment', value: 'staging' },
      { key: 'os', value: 'Linux' },
      { key: 'os.name', value: 'Linux' },
      { key: 'region', value: 'eu' },
      { key: 'transaction', value: '/cart' },
      { key: 'user', value: 'id:7' },
    ])
    expect((await call(`/issues/${issueOf('StockError')}/events/`)).json).toMatchObject([{ tags }])
    expect((await call(`${project}/events/${eventId}/`)).json).toMatchObject({ tags })
  })

  it('are titled by their own type and value, also in the list of an issue', async () => {
    const head = { title: 'StockError: none left', eventID: eventId }
    expect((await call(`/issues/${issueOf('StockError')}/events/`)).json).toMatchObject([head])
    const { json } = await call(`${project}/events/?full=true`)
    expect(
      v.parse(v.array(v.looseObject({ id: v.string() })), json).find(({ id }) => id === eventId),
    ).toMatchObject({
      ...head,
      projectSlug: 'fixture',
      entries: [{ type: 'exception' }, { type: 'threads' }],
    })
  })

  it('of an issue are found by their tags, and no other search is ignored', async () => {
    expect(
      (await findEvents('region:eu environment:staging browser.name:Firefox user.id:7 level:warning')).json,
    ).toHaveLength(1)
    expect((await findEvents('region:us')).json).toEqual([])
    for (const query of [
      'none',
      '!region:eu',
      'region:[eu, us]',
      'region:e*',
      'error.type:StockError',
      'user.email:a@example.com',
    ])
      expect([query, (await findEvents(query)).status]).toEqual([query, 400])
  })

  it('have mechanisms, threads and titles under Sentry’s names', async () => {
    expect((await call(`${project}/events/${eventId}/`)).json).toMatchObject({
      metadata: { type: 'StockError', value: 'none left' },
      entries: [
        {
          type: 'exception',
          data: {
            values: [
              {
                mechanism: { type: 'chained', exception_id: 1, parent_id: 0, is_exception_group: true },
              },
            ],
          },
        },
        {
          type: 'threads',
          data: { values: [{ id: '1', name: 'main', crashed: true, rawStacktrace: null }] },
        },
      ],
    })
  })

  it('have files', async () => {
    const path = `${project}/events/${eventId}/attachments/`
    const { json } = await call(path)
    expect(json).toMatchObject([{ id: '1', name: 'stock.csv', mimetype: 'text/csv', size: 8 }])
    expect((await call(`${path}1/`)).json).toMatchObject({ name: 'stock.csv' })
    const token = await addToken(server, { name: 'downloader' })
    const file = await fetch(`${server.origin}/api/0${path}1/?download=1`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(file.headers.get('content-disposition')).toContain('stock.csv')
    expect(file.headers.get('content-type')).toBe('application/octet-stream')
    expect(await file.text()).toBe('a,b\n1,2\n')
    expect((await call(`${path}2/`)).status).toBe(404)
    expect((await call(`/projects/default/other/events/${eventId}/attachments/`)).status).toBe(404)
  })
})

describe('the endpoints around issues', () => {
  it('list environments', async () => {
    expect((await call(`${project}/environments/`)).json).toMatchObject([
      { name: 'production' },
      { name: 'staging' },
    ])
    expect((await call('/projects/default/other/environments/')).json).toMatchObject([{ name: 'production' }])
    expect((await call(`${org}/environments/`)).json).toHaveLength(2)
  })

  it('list users, if the token may assign issues, and roles, for admins', async () => {
    expect(names((await call(`${org}/users/`)).json)).toContain('viewer')
    expect(names((await call(`${project}/members/`)).json)).toContain('owner')
    expect((await call(`${org}/members/`)).json).toContainEqual(
      expect.objectContaining({ name: 'owner', role: 'owner' }),
    )
    for (const path of [`${org}/users/`, `${org}/members/`, `${project}/members/`])
      expect((await call(path, { token: viewerToken })).status).toBe(403)
    const member = await addToken(server, { name: 'member', role: 'member' })
    expect((await call(`${org}/users/`, { token: member })).status).toBe(200)
    expect((await call(`${org}/members/`, { token: member })).status).toBe(403)
  })

  it('list releases, including archived ones', async () => {
    const version = 'gone@1'
    await call(`${project}/releases/`, { method: 'POST', body: { version } })
    const change = (body: unknown) => call(`${org}/releases/${version}/`, { method: 'PUT', body })
    expect((await change({ status: 'archived' })).json).toMatchObject({ status: 'archived' })
    const versions = async (status: string) => {
      const { json } = await call(`${org}/releases/?status=${status}`)
      return v.parse(v.array(v.object({ version: v.string() })), json).map((each) => each.version)
    }
    expect(await versions('archived')).toEqual([version])
    expect(await versions('open')).not.toContain(version)
    expect(await versions('')).toContain(version)
    expect((await call(`${org}/releases/?status=odd`)).status).toBe(400)
    expect((await change({ status: 'open' })).json).toMatchObject({ status: 'open' })
    expect((await call(`${org}/releases/`, { method: 'POST', body: { version: 'new@1' } })).status).toBe(400)
  })
})
