import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { actions } from '#server/console/forms/actions.search.ts'
import { buildConsole } from '#test/built-console.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { type ServerProcess, startServerProcess } from '#test/server-process.ts'
import { addOwnerIn, cookieOf } from '#test/session.ts'
import { createTempDir, type TempDir } from '#test/temp-dir.ts'

let dataDir: TempDir
let server: ServerProcess
/** Of the owner. */
let cookie: string
const get = (path: string) => fetch(server.origin + path, { headers: { cookie } })
/** Path of the page of an issue, and the fields that its form posts. */
let page: string
let action: string
let issueId: string

beforeAll(async () => {
  await buildConsole()
  dataDir = await createTempDir()
  await addOwnerIn(dataDir.path)
  server = await startServerProcess({ dataDir: dataDir.path, args: [] })
  cookie = await cookieOf(server.origin)
  const projects = await (await get('/projects')).text()
  const [, publicKey = '', id = ''] = /\/\/([0-9a-f]{32})@[^/]+\/(\d+)/.exec(projects) ?? []
  const envelope = '{}\n{"type":"event"}\n{"message":"Trouble"}'
  await postEnvelope(server.origin, envelope, { project: { id, publicKey } })
  const list = await (await get('/issues')).text()
  page = /\/issues\/\d+/.exec(list)?.[0] ?? ''
  const html = await readPage()
  action = /action="(\/actions\/[^"]+)"/.exec(html)?.[1] ?? ''
  issueId = /name="issueIds" value="(\d+)"/.exec(html)?.[1] ?? ''
}, 120_000)
afterAll(async () => {
  await server.end('SIGTERM')
  await dataDir.remove()
})

async function readPage(): Promise<string> {
  return (await get(page)).text()
}

/** The headers that a current browser sends with a form of the console. */
const ownPage = () => ({ 'sec-fetch-site': 'same-origin', referer: `${server.origin}${page}?tab=1` })

function post(fields: Record<string, string>, headers: Record<string, string>): Promise<Response> {
  return send(action, fields, headers)
}

function postTo(
  name: keyof typeof actions,
  fields: Record<string, string>,
  headers = ownPage(),
): Promise<Response> {
  return send(actions[name].url, fields, headers)
}

function send(
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string>,
): Promise<Response> {
  return fetch(server.origin + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie, ...headers },
    body: new URLSearchParams(fields),
  })
}

async function readStatus(): Promise<string | undefined> {
  return /<span class="badge"[^>]*>([a-z]+)<\/span>/.exec(await readPage())?.[1]
}

describe('a form that changes something, posted without JavaScript', () => {
  it('redirects back to its page, including the query', async () => {
    const answer = await post({ issueIds: issueId, status: 'resolved' }, ownPage())
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${page}?tab=1`])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await readStatus()).toBe('resolved')
    await post({ issueIds: issueId, status: 'unresolved' }, ownPage())
    expect(await readStatus()).toBe('unresolved')
  })

  it.each<[string, Record<string, string>]>([
    ['a page elsewhere', { 'sec-fetch-site': 'cross-site' }],
    ['a page on a sibling host', { 'sec-fetch-site': 'same-site' }],
    ['a foreign origin', { origin: 'https://evil.example' }],
    ['a foreign referer', { referer: 'https://evil.example/' }],
    ['no header at all', {}],
  ])('is rejected from %s, and changes nothing', async (_what, headers) => {
    expect((await post({ issueIds: issueId, status: 'archived' }, headers)).status).toBe(403)
    expect(await readStatus()).toBe('unresolved')
  })

  it.each([
    ['https://evil.example/issues', '/'],
    ['nonsense', '/'],
    ['//evil.example', '/'],
  ])('never redirects to another host: %s', async (referer, location) => {
    const answer = await post(
      { issueIds: issueId, status: 'unresolved' },
      { 'sec-fetch-site': 'same-origin', referer },
    )
    expect([answer.status, answer.headers.get('location')]).toEqual([303, location])
  })

  it('redirects to a path on this host, even if the path looks like a host', async () => {
    const referer = `${server.origin}//evil.example/x`
    const answer = await post(
      { issueIds: issueId, status: 'unresolved' },
      { 'sec-fetch-site': 'same-origin', referer },
    )
    expect(answer.headers.get('location')).toBe('/evil.example/x')
  })

  it('redirects to the sign-in and back after the session ended, without the posted fields', async () => {
    const answer = await send(
      action,
      { issueIds: issueId, status: 'resolved' },
      { ...ownPage(), cookie: '', accept: 'text/html' },
    )
    const signIn = `/login?to=${encodeURIComponent(`${page}?tab=1`)}`
    expect([answer.status, answer.headers.get('location')]).toEqual([303, signIn])
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it.each<[string, Record<string, string>]>([
    ['no such issue', { issueIds: '17', status: 'resolved' }],
    ['an id that is none', { issueIds: "1' or 1", status: 'resolved' }],
    ['no such status', { issueIds: '17', status: 'deleted' }],
    ['fields that are missing', {}],
  ])('with %s redirects as well, and is not captured as an error', async (_what, fields) => {
    const before = server.log.length
    const answer = await post({ ...fields }, ownPage())
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${page}?tab=1`])
    expect(server.log.slice(before)).toEqual([])
  })
})

/** The next page with its address, its status and the text of its notice. */
async function follow(answer: Response) {
  const to = answer.headers.get('location') ?? ''
  const noticeCookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const shown = await fetch(server.origin + to, {
    headers: { accept: 'text/html', cookie: `${cookie}; ${noticeCookie}` },
  })
  const html = await shown.text()
  expect(shown.headers.getSetCookie().join()).toContain('culvert_notice=; Path=/; Max-Age=0')
  const notice = /<div class="notice"[^>]*><p role="status">([^<]*)</.exec(html)?.[1] ?? ''
  return { to, notice, status: shown.status, html }
}

describe('the notice of a form that was posted without JavaScript', () => {
  it('is shown on the next page, once', async () => {
    const answer = await post({ issueIds: issueId, status: 'resolved' }, ownPage())
    expect(await follow(answer)).toMatchObject({ notice: 'Resolved.' })
    expect(await readPage()).not.toContain('data-shown')
  })

  it('has a form that undoes the change', async () => {
    await post({ issueIds: issueId, status: 'unresolved' }, ownPage())
    const { html } = await follow(await post({ issueIds: issueId, status: 'resolved' }, ownPage()))
    const [, form = ''] = /action="\/actions\/issue-undo"([^]*?)<\/form>/.exec(html) ?? []
    const fields: Record<string, string> = {}
    for (const [, name = '', value = ''] of form.matchAll(/name="([^"]+)" value="([^"]*)"/g))
      fields[name] = value
    const undone = await follow(await postTo('issueUndo', fields))
    expect(undone.notice).toBe('Undone.')
    expect(undone.html).not.toContain('/actions/issue-undo')
    expect(await readStatus()).toBe('unresolved')
  })

  it('names what no longer exists', async () => {
    const answer = await post({ issueIds: '17', status: 'resolved' }, ownPage())
    const { notice } = await follow(answer)
    expect(notice).toBe('Couldn’t change the status. This no longer exists.')
  })

  it('shows that a dead letter no longer exists', async () => {
    const retry = await postTo('deadLetter', { change: 'retry:1:1' })
    const { notice } = await follow(retry)
    expect(notice).toBe('No changes made. This no longer exists.')
  })

  it('explains why a merge and an assignment were rejected', async () => {
    const merge = await postTo('issueMerge', { issueIds: issueId, other: 'FIXTURE-ZZZ' })
    expect((await follow(merge)).notice).toContain('Couldn’t merge. Issue not found or no access')
    const assignment = await postTo('issueAssignee', { issueIds: issueId, assignee: 'nobody-known' })
    expect((await follow(assignment)).notice).toContain('Couldn’t assign. That user does not have access')
  })

  it('redirects from a deleted issue to the list, and stays on the list otherwise', async () => {
    const fromList = { 'sec-fetch-site': 'same-origin', referer: `${server.origin}/issues?sort=users` }
    const first = await postTo('issueDeletion', { issueIds: '17' }, fromList)
    expect(first.headers.get('location')).toBe('/issues?sort=users')
    const deletion = await postTo('issueDeletion', { issueIds: issueId })
    expect(await follow(deletion)).toMatchObject({ to: '/issues', notice: 'Deleted.', status: 200 })
  })
})
