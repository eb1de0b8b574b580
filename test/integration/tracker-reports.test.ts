import { afterAll, describe, expect, it } from 'vitest'
import { openStore } from '#server/store/store.ts'
import { answerTrackerReport } from '#server/trackers/answer-tracker-report.ts'
import { startTrackerConsole } from '#test/tracker-console.ts'
import { jiraReport, linearReport, postTrackerReport } from '#test/tracker-reports.ts'
import { issueToken } from '#test/tracker-service.ts'

const { server, service, settingsPath, save, send, page, create, links, readWebhook, stop } =
  await startTrackerConsole()
afterAll(stop)

const post = (tracker: 'github' | 'jira' | 'linear', body: object | string, secret: string) =>
  postTrackerReport(`${server.origin}/api/hooks/issues/42`, { tracker, body, secret })
const report = (body: object, secret: string) => post('github', body, secret)

describe('the webhook of a tracker', () => {
  it('closes and reopens the link, and resolves the issue if that is set', async () => {
    const id = await send('Closed there')
    await save({ kind: 'github', url: `${service.origin}/acme/shop`, token: issueToken })
    await create(id)
    const [name = ''] = links().slice(-1)
    const url = `${service.origin}/${name.replace(/#(\d+) 0$/, '/issues/$1')}`
    const { url: hook, secret } = await readWebhook()
    expect(hook).toBe(`${server.services.publicOrigin}/api/hooks/issues/42`)
    const closed = { action: 'closed', issue: { html_url: url, state: 'closed' } }
    const status = () => server.read(`SELECT status FROM issues WHERE id = ${id}`)[0]

    expect(await report(closed, secret)).toBe(200)
    expect([links().at(-1), status()]).toEqual([name.replace(/0$/, '1'), 'unresolved'])
    expect(await report({ action: 'reopened', issue: { html_url: url, state: 'open' } }, secret)).toBe(200)
    expect(links().at(-1)).toBe(name)

    await save({ kind: 'github', url: `${service.origin}/acme/shop`, resolvesHere: 'on' })
    for (const _ of [1, 2]) expect(await report(closed, secret)).toBe(200)
    expect(status()).toBe('resolved')
    const kinds = server.read(`SELECT kind FROM issue_activity WHERE issue_id = ${id} ORDER BY id`)
    expect(kinds.toSorted()).toEqual(['link_closed', 'link_closed', 'link_reopened', 'linked', 'status'])
    expect(await page(id)).toContain('in its tracker')
  })

  it('accepts reports of GitLab by their token', async () => {
    const id = await send('Closed in GitLab')
    await server.post('member', 'issueLink', {
      issueId: id,
      does: 'link',
      url: 'https://gl.test/a/b/-/issues/9',
    })
    const { secret } = await readWebhook()
    const body = JSON.stringify({
      object_kind: 'issue',
      object_attributes: { url: 'https://gl.test/a/b/-/issues/9', state: 'closed', iid: 9 },
    })
    const postAs = async (token: string) =>
      (
        await fetch(`${server.origin}/api/hooks/issues/42`, {
          method: 'POST',
          headers: { 'x-gitlab-token': token, 'x-gitlab-event': 'Issue Hook' },
          body,
        })
      ).status
    expect(await postAs('wrong')).toBe(403)
    expect(links().at(-1)).toBe('a/b#9 0')
    expect(await postAs(secret)).toBe(200)
    expect(links().at(-1)).toBe('a/b#9 1')
  })

  it('accepts reports of Jira by their signature', async () => {
    const id = await send('Done in Jira')
    const url = 'https://acme.atlassian.net/browse/ENG-7'
    await server.post('member', 'issueLink', { issueId: id, does: 'link', url })
    const { secret } = await readWebhook()
    expect(await post('jira', jiraReport('done'), 'another secret')).toBe(403)
    expect(await post('jira', jiraReport('done', Date.now() - 10_800_000), secret)).toBe(403)
    expect(links().at(-1)).toBe('ENG-7 0')
    const closedAt = Date.now() - 5_000
    expect(await post('jira', jiraReport('done', closedAt), secret)).toBe(200)
    expect(links().at(-1)).toBe('ENG-7 1')
    expect(await post('jira', jiraReport('indeterminate', closedAt + 2_000), secret)).toBe(200)
    expect(links().at(-1)).toBe('ENG-7 0')
    // Somebody who recorded a report sends it again; an old one arrives late.
    for (const sentAt of [closedAt, closedAt + 1_000, closedAt + 2_000])
      expect(await post('jira', jiraReport('done', sentAt), secret)).toBe(200)
    expect(links().at(-1)).toBe('ENG-7 0')
    // One that changes nothing is newer than those before it, too.
    expect(await post('jira', jiraReport('indeterminate', closedAt + 4_000), secret)).toBe(200)
    expect(await post('jira', jiraReport('done', closedAt + 3_000), secret)).toBe(200)
    expect(links().at(-1)).toBe('ENG-7 0')
    expect(await post('jira', jiraReport('done', closedAt + 5_000), secret)).toBe(200)
    expect(links().at(-1)).toBe('ENG-7 1')
  })

  it('accepts reports of Linear by the secret that Linear created, within a minute', async () => {
    const id = await send('Done in Linear')
    const url = 'https://linear.app/acme/issue/OPS-9/old-title'
    await server.post('member', 'issueLink', { issueId: id, does: 'link', url })
    const secret = 'lin_wh_0123456789abcdef'
    expect(await post('linear', linearReport('completed'), secret)).toBe(403)
    expect(await save({ kind: 'linear', webhookSecret: secret })).toBe('303 ')
    expect(server.read('SELECT settings FROM projects WHERE id = 42')[0]).not.toContain(secret)
    const html = await (await server.open('admin', settingsPath)).text()
    expect(html).toContain('A secret is stored encrypted.')
    expect(html).not.toContain(secret)
    const { secret: ours } = await readWebhook()
    expect(await post('linear', linearReport('completed'), ours)).toBe(403)
    for (const time of [Date.now() - 70_000, Date.now() + 70_000, undefined, 'now', null])
      expect(await post('linear', { ...linearReport('completed'), webhookTimestamp: time }, secret)).toBe(403)
    expect(links().at(-1)).toBe('OPS-9 0')
    expect(await post('linear', linearReport('completed'), secret)).toBe(200)
    expect(links().at(-1)).toBe('OPS-9 1')
    await save({ kind: 'linear' })
    expect(await post('linear', linearReport('started'), secret)).toBe(200)
    expect(links().at(-1)).toBe('OPS-9 0')
    await save({ kind: 'none' })
    expect(await post('linear', linearReport('canceled'), secret)).toBe(403)
  })

  it('rejects a report over a megabyte, and survives any signed body', async () => {
    const secret = 'lin_wh_any'
    await save({ kind: 'linear', webhookSecret: secret })
    const { secret: ours } = await readWebhook()
    const large = JSON.stringify({ ...jiraReport('done'), text: 'x'.repeat(300_000) })
    expect(await post('jira', large, ours)).toBe(200)
    const request = new Request(server.origin, { method: 'POST', body: 'x'.repeat(1_048_577) })
    expect((await answerTrackerReport(server.services, request, '42')).status).toBe(413)
    const now = Date.now()
    const bodies = [
      { timestamp: now, issue: { self: 'javascript:x/rest/api/2/1', key: 'A-1' } },
      { timestamp: now, issue: { self: 7, key: {}, fields: [] } },
      { timestamp: now, webhookTimestamp: now, type: 'Issue', url: 7, data: { state: null } },
      { timestamp: now, webhookTimestamp: now, type: 'Comment', url: 'x', data: {} },
    ]
    for (const body of bodies) {
      expect(await post('jira', body, ours)).toBe(200)
      expect(await post('linear', { ...body, webhookTimestamp: now }, secret)).toBe(200)
    }
    expect(await post('jira', '{"timestamp":1', ours)).toBe(403)
    expect(await post('linear', '[', secret)).toBe(403)
  })

  it('fails while the store cannot be read, so that the tracker sends its report again', async () => {
    const store = await openStore({ path: ':memory:' })
    await store.close()
    const request = new Request(server.origin, {
      method: 'POST',
      body: '{}',
      headers: { 'x-gitlab-token': 'x' },
    })
    await expect(answerTrackerReport({ ...server.services, store }, request, '42')).rejects.toThrow(
      'not open',
    )
  })

  it('rejects reports without the signature of the project, and survives any body', async () => {
    const { secret } = await readWebhook()
    expect(await report({}, 'another secret')).toBe(403)
    const unsigned = await fetch(`${server.origin}/api/hooks/issues/42`, { method: 'POST', body: '{}' })
    expect(unsigned.status).toBe(403)
    const other = await fetch(`${server.origin}/api/hooks/issues/43`, {
      method: 'POST',
      headers: { 'x-gitlab-token': secret },
      body: '{}',
    })
    expect(other.status).toBe(403)
    for (const body of [{}, [], { zen: 'ping' }, { issue: 1 }, { issue: { html_url: 1, state: 'closed' } }])
      expect(await report(body, secret)).toBe(200)
  })
})
