import * as v from 'valibot'
import { afterAll, describe, expect, it } from 'vitest'
import { createApiCaller } from '#test/api-call.ts'
import { addToken, sendError, startApiServer } from '#test/api-server.ts'
import { envelopeOf, randomEventId } from '#test/envelopes.ts'
import { copyIssue } from '#test/issue-copies.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { fixtureProject, otherProject } from '#test/start-server.ts'

const server = await startApiServer()
const call = createApiCaller(server.origin, await addToken(server, { name: 'owner' }))
await sendError(server, { release: 'shop@1.0.0' })
const issueId = String(server.services.store.connection.prepare('SELECT id FROM issues').get()?.['id'])
afterAll(() => server.stop())

/** The issues of the project with these parameters, in any status. */
async function listBy(parameters: string) {
  const { json } = await call(`/projects/default/fixture/issues/?query=&${parameters}`)
  return v.parse(v.array(v.object({ id: v.string(), stats: v.optional(v.unknown()) })), json)
}

const listIn = (period: string) => call(`/organizations/default/issues/?query=&statsPeriod=${period}`)

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

  it('are read page by page until the Link header has no further results', async () => {
    for (let number = 0; number < 5; number += 1)
      await sendError(server, { type: `Paged${number}` }, otherProject)
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

  it('are found by a query, and an invalid query is rejected', async () => {
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
    // Clients also send the conditions next to the status.
    const until = await change({ status: 'ignored', ignoreDuration: 60, ignoreUserCount: 5 })
    expect(until.json).toMatchObject({
      statusDetails: { ignoreUntil: expect.any(String) as string, ignoreUserCount: 5 },
    })
    expect(await change({ status: 'ignored', ignoreWindow: 60 })).toMatchObject({ status: 400 })
    const me = v.parse(v.object({ user: v.object({ id: v.string() }) }), (await call('/')).json).user.id
    expect((await change({ assignedTo: `user:${me}` })).json).toMatchObject({ assignedTo: { id: me } })
    expect((await change({ assignedTo: '', status: 'unresolved' })).json).toMatchObject({
      assignedTo: null,
      status: 'unresolved',
    })
    expect((await change({ assignedTo: 'nobody-we-know' })).status).toBe(400)
  })

  it('are changed together, and only the given ones', async () => {
    const many = (query: string) =>
      call(`/organizations/default/issues/${query}`, { method: 'PUT', body: { status: 'resolved' } })
    expect((await many('')).status).toBe(400)
    expect((await many(`?id=${issueId}&project=43`)).status).toBe(404)
    expect((await many('?id=1&id=2')).json).toEqual({ detail: 'No groups found' })
    expect((await call(`/issues/${issueId}/`)).json).toMatchObject({ status: 'unresolved' })
    expect((await many(`?id=${issueId}`)).json).toEqual({ status: 'resolved' })
    expect((await call(`/issues/${issueId}/`)).json).toMatchObject({ status: 'resolved' })
  })

  it('include the condition that reopens them, their assignee and their counts', async () => {
    const { connection } = server.services.store
    connection.exec(`INSERT INTO issue_tags VALUES (${fixtureProject.id}, ${issueId}, 'handled', 'no', 1, 0)`)
    const change = (body: unknown) => call(`/issues/${issueId}/`, { method: 'PUT', body })
    expect((await change({ assignedTo: 'Owner@example.com' })).json).toMatchObject({
      assignedTo: { type: 'user', name: 'owner', email: 'owner@example.com' },
      isUnhandled: true,
      numComments: 0,
      logger: null,
    })
    expect(
      (await change({ status: 'resolved', statusDetails: { inRelease: 'shop@1.0.0' } })).json,
    ).toMatchObject({
      status: 'resolved',
      statusDetails: { inRelease: 'shop@1.0.0' },
    })
    expect((await change({ status: 'resolvedInNextRelease' })).json).toMatchObject({
      status: 'resolved',
      statusDetails: { inNextRelease: true },
    })
    const ignoreUntil = expect.stringMatching(/^20\d\d-/) as string
    const until = { ignoreCount: 10, ignoreUserCount: 3, ignoreDuration: 60 }
    expect((await change({ status: 'ignored', statusDetails: until })).json).toMatchObject({
      substatus: 'archived_until_condition_met',
      statusDetails: { ignoreCount: 10, ignoreUserCount: 3, ignoreUntil },
    })
    const escalating = { status: 'ignored', substatus: 'archived_until_escalating' }
    expect((await change(escalating)).json).toMatchObject({ substatus: 'archived_until_escalating' })
    expect((await change({ status: 'unresolved', assignedTo: null })).json).toMatchObject({
      substatus: 'new',
      statusDetails: {},
      assignedTo: null,
    })
  })

  it.each([
    [{ status: 'resolved', statusDetails: { inRelease: 'shop@9' } }, 'statusDetails.inRelease'],
    [{ status: 'resolved', statusDetails: { inCommit: { commit: 'a' } } }, 'statusDetails.inCommit'],
    [
      { status: 'ignored', statusDetails: { ignoreCount: 5, ignoreWindow: 60 } },
      'statusDetails.ignoreWindow',
    ],
    [{ status: 'ignored', statusDetails: { ignoreCount: 0.5 } }, 'statusDetails.ignoreCount'],
    [
      { status: 'ignored', statusDetails: { ignoreCount: 9_007_199_254_740_991 } },
      'statusDetails.ignoreCount',
    ],
    [
      { status: 'ignored', statusDetails: { ignoreDuration: 144_000_000_000 } },
      'statusDetails.ignoreDuration',
    ],
    [{ status: 'resolved', assignedTo: 'team:1' }, 'assignedTo'],
    [{ status: 'resolved', assignedTo: 'nobody@example.com' }, 'assignedTo'],
  ])('are not changed if a change cannot be made as a whole: %j', async (body, field) => {
    const { status, json } = await call(`/issues/${issueId}/`, { method: 'PUT', body })
    expect([status, Object.keys(v.parse(v.record(v.string(), v.unknown()), json))]).toEqual([400, [field]])
    expect((await call(`/issues/${issueId}/`)).json).toMatchObject({ status: 'unresolved' })
  })

  it('are found by their short ids, in a path and in a list', async () => {
    expect((await call('/organizations/default/issues/fixture-1/')).json).toMatchObject({ id: issueId })
    expect((await call('/organizations/default/shortids/FIXTURE-1/')).json).toMatchObject({
      groupId: issueId,
      organizationSlug: 'default',
      projectSlug: 'fixture',
    })
    const list = '/organizations/default/issues/?query=FIXTURE-1'
    expect((await call(`${list}&shortIdLookup=1`)).json).toMatchObject([{ id: issueId }])
    expect((await call('/organizations/default/shortids/FIXTURE-ZZ/')).status).toBe(404)
  })

  it('are listed by time, by environments and in every order', async () => {
    expect(await listBy('environment=production&environment=nowhere')).toHaveLength(1)
    expect(await listBy('environment=here&environment=nowhere')).toHaveLength(0)
    expect(await listBy('start=2026-01-01T00:00:00')).toHaveLength(1)
    expect(await listBy('end=2020-01-01T00:00:00')).toHaveLength(0)
    for (const sort of ['date', 'new', 'freq', 'user', 'trends'])
      expect(await listBy(`sort=${sort}`)).toHaveLength(1)
    const spanOf = async (parameters: string) => Object.keys((await listBy(parameters))[0]?.stats ?? {})
    expect(await spanOf('statsPeriod=14d')).toEqual(['14d'])
    expect(await spanOf('statsPeriod=24h')).toEqual(['24h'])
    expect(await spanOf('statsPeriod=')).toEqual([])
    expect((await listIn('1h')).json).not.toEqual([])
    expect((await listIn('soon')).status).toBe(400)
  })

  it.each([
    'sort=best',
    'sort=constructor',
    'status=constructor',
    'cursor=damaged',
    'limit=many',
    'start=never',
    'query=is:odd',
  ])('are not listed by invalid parameters: %s', async (parameters) => {
    const { status, json } = await call(`/projects/default/fixture/issues/?${parameters}`)
    expect([status, json]).toEqual([400, { detail: expect.any(String) as string }])
  })

  it('have a Link header in Sentry’s form also on the last page', async () => {
    const { headers } = await call('/projects/default/fixture/issues/')
    expect(headers.get('link')).toMatch(
      /^<[^>]+>; rel="previous"; results="false"; cursor="\d+:\d+:1", <[^>]+>; rel="next"; results="false"; cursor="\d+:\d+:0"$/,
    )
    expect((await call('/projects/default/fixture/issues/?cursor=0:0:1')).json).toHaveLength(1)
  })

  it('are merged into one, which then answers for all of them', async () => {
    await sendError(server, { type: 'MergedOne' }, otherProject)
    await sendError(server, { type: 'MergedTwo' }, otherProject)
    const { json } = await call('/projects/default/other/issues/?query=Merged')
    const ids = v.parse(v.array(v.object({ id: v.string() })), json).map(({ id }) => id)
    const merge = (query: string) =>
      call(`/projects/default/other/issues/?${query}`, { method: 'PUT', body: { merge: 1 } })
    expect((await merge(`id=${ids[0]}`)).status).toBe(400)
    const merged = await merge(`id=${ids[0]}&id=${ids[1]}`)
    const { merge: answer } = v.parse(
      v.object({ merge: v.object({ parent: v.string(), children: v.array(v.string()) }) }),
      merged.json,
    )
    expect([answer.parent, ...answer.children].toSorted()).toEqual(ids.toSorted())
    expect((await call(`/issues/${answer.children[0]}/`)).json).toMatchObject({
      id: answer.parent,
      count: '2',
    })
    const resolved = await call(`/organizations/default/issues/?id=${answer.children[0]}`, {
      method: 'PUT',
      body: { status: 'resolved' },
    })
    expect(resolved.json).toEqual({ status: 'resolved' })
    expect((await call(`/issues/${answer.parent}/`)).json).toMatchObject({ status: 'resolved' })
  })

  it.each([
    ['no JSON', '{'],
    ['no such status', { status: 'done' }],
    ['a number for a text', { assignedTo: 7 }],
    ['a list', []],
  ])('reject invalid changes: %s', async (_name, body) => {
    expect((await call(`/issues/${issueId}/`, { method: 'PUT', body })).status).toBe(400)
  })
})

describe('feedback', () => {
  it('has its text and its sender in the metadata of its issue and event', async () => {
    const eventId = randomEventId()
    const sent = { message: 'It ate\nmy order', contact_email: 'jane@example.com', source: 'widget' }
    const item = { event_id: eventId, contexts: { feedback: { ...sent, url: 'https://shop.test/' } } }
    await postEnvelope(server.origin, envelopeOf({}, ['feedback', item]))
    const list = await call('/projects/default/fixture/issues/?query=issue.category:feedback')
    const metadata = { title: 'It ate', ...sent, name: null }
    expect(list.json).toMatchObject([{ issueCategory: 'feedback', metadata }])
    const [{ id }] = v.parse(v.tuple([v.object({ id: v.string() })]), list.json)
    expect((await call(`/issues/${id}/`)).json).toMatchObject({ metadata })
    const event = await call(`/projects/default/fixture/events/${eventId}/`)
    expect(event.json).toMatchObject({
      metadata: { ...metadata, value: 'User feedback from jane@example.com' },
    })
  })
})

describe('a page of issues', () => {
  it('has up to 1,000', async () => {
    const own = await startApiServer()
    try {
      const ask = createApiCaller(own.origin, await addToken(own, { name: 'owner' }))
      await sendError(own, {})
      copyIssue(own.services.store.connection, fixtureProject.id, 1_000)
      for (const limit of [1_000, 5_000]) {
        const { json, headers } = await ask(`/projects/default/fixture/issues/?query=&limit=${limit}`)
        expect(json).toHaveLength(1_000)
        expect(headers.get('link')).toContain('rel="next"; results="true"')
      }
    } finally {
      await own.stop()
    }
  })
})
