import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createMember } from '#server/auth/new-accounts.ts'
import type { Role } from '#server/auth/roles.ts'
import { loadConsole } from '#server/http/console-app.ts'
import { buildConsole, listServerFunctions } from '../support/built-console.ts'
import { addUser, cookieOf } from '../support/session.ts'
import { fixtureProject, startServer, type TestServer } from '../support/start-server.ts'

let root: string
let server: TestServer
const cookies: Record<string, string> = {}
const eventId = 'ab12'.repeat(8)

const userOf = (name: string) => ({ name, email: `${name}@example.com`, password: 'a password for tests' })

beforeAll(async () => {
  root = await buildConsole()
  server = await startServer({ loadApp: (services) => loadConsole(root, services) })
  const { store } = server.services
  store.sqlite.exec(`INSERT INTO organizations VALUES (2, 'other', 'Other', 0)`)
  await createMember(store, { ...userOf('outsider'), organizationId: 2, role: 'owner' })
  for (const role of ['viewer', 'member', 'admin'] satisfies Role[]) await addUser(store, userOf(role), role)
  for (const name of ['outsider', 'viewer', 'member', 'admin'])
    cookies[name] = await cookieOf(server.origin, userOf(name))
}, 120_000)
afterAll(() => server.stop())

async function send(events: object[]): Promise<void> {
  const items = events.map((event) => `{"type":"event"}\n${JSON.stringify(event)}`)
  for (const item of items) {
    const url = `${server.origin}/api/${fixtureProject.id}/envelope/?sentry_key=${fixtureProject.publicKey}`
    const answer = await fetch(url, { method: 'POST', body: `{}\n${item}` })
    expect(answer.status).toBe(200)
  }
}

function open(person: string, path: string): Promise<Response> {
  return fetch(server.origin + path, {
    redirect: 'manual',
    headers: { accept: 'text/html', cookie: cookies[person] ?? '' },
  })
}

async function search(
  q: string,
  person = 'member',
): Promise<{ status: number; html: string; location: string }> {
  const answer = await open(person, `/issues?${new URLSearchParams({ q }).toString()}`)
  return {
    status: answer.status,
    html: answer.status === 200 ? await answer.text() : '',
    location: answer.headers.get('location') ?? '',
  }
}

/** Posts a form as a browser without JavaScript does; answers with the notice's or the failure's page. */
async function post(person: string, name: string, fields: Record<string, string>): Promise<number> {
  const { id } = listServerFunctions(root).get(name) ?? { id: '' }
  const answer = await fetch(`${server.origin}/_serverFn/${id}`, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      cookie: cookies[person] ?? '',
      'sec-fetch-site': 'same-origin',
      referer: `${server.origin}/issues`,
    },
    body: new URLSearchParams(fields),
  })
  return answer.status
}

const read = (sql: string) =>
  server.services.store.sqlite
    .prepare(sql)
    .all()
    .map((row) => Object.values(row).join(' '))

/** Of the first issue with that title. */
const idByTitle = (title: string) => read(`SELECT id FROM issues WHERE title = '${title}'`)[0] ?? ''
const shortId = (title: string) => {
  const [number = ''] = read(`SELECT number FROM issues WHERE title = '${title}'`)
  return `FIXTURE-${Number(number).toString(36).toUpperCase()}`
}

const saved = () => read('SELECT name FROM saved_searches ORDER BY name')
const savedId = (name: string) => read(`SELECT id FROM saved_searches WHERE name = '${name}'`)[0] ?? ''
const save = (person: string, name: string, sharedWith = '') =>
  post(person, 'changeSavedSearch', { action: 'save', name, sharedWith, q: 'level:error' })
const change = (person: string, name: string, to: string) =>
  post(person, 'changeSavedSearch', { action: 'change', id: savedId(name), name: to, sharedWith: '1' })
const seenBy = async (person: string) => {
  const html = await (await open(person, '/issues?status=all')).text()
  return ['mine', 'shared'].filter((name) => html.includes(`>${name}<`))
}

describe('a search', () => {
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0'
  const broken = {
    level: 'error',
    message: 'the cart is not a function of price',
    release: 'web@1.4',
    environment: 'production',
    user: { id: '7', email: 'a@b.c', username: 'ada', ip_address: '192.0.2.7' },
    request: { headers: { 'User-Agent': firefox } },
    fingerprint: ['cart'],
  }

  beforeAll(async () => {
    const usual = Array.from({ length: 101 }, () => ({ ...broken, user: { id: '8' } }))
    await send([...usual, broken, { ...broken, message: 'seldom', fingerprint: ['seldom'] }])
    // Tags are folded into their table a moment after the commit.
    const tagged = `SELECT issue_id FROM issue_tags WHERE key = 'user.email'`
    await vi.waitUntil(() => read(tagged).length === 2, { timeout: 10_000 })
  })

  const whole =
    'is:unresolved level:error release:web@1.4 environment:production user.email:a@b.c browser.name:Firefox timesSeen:>100 firstSeen:-24h "not a function"'

  it('with every kind of token finds the issue whose events are so', async () => {
    const { html } = await search(whole)
    expect(html).toContain('the cart is not a function of price')
    expect(html).not.toContain('seldom')
    expect(html).not.toContain('search-problems')
  })

  it.each([
    'user.email:a@b.c',
    'user.email:a@*',
    'user.id:7',
    'user.username:ada',
    'user.ip:192.0.2.7',
    '!user.email:x@b.c',
  ])('finds a user by whatever is known: %s', async (q) => {
    expect((await search(q)).html).toContain('the cart is not a function of price')
  })

  it.each(['user.email:b@b.c', 'user.id:9', 'user.username:ad', 'user.ip:192.0.2.8', '!user.email:a@b.c'])(
    'finds nobody else: %s',
    async (q) => {
      const { html } = await search(q)
      expect(html).toContain('No issues match')
      expect(html).not.toContain('the cart is not a function of price')
    },
  )

  it('that is too long is not cut in silence', async () => {
    const { status, html } = await search(`cart ${'x'.repeat(2_995)}`)
    expect(status).toBe(200)
    expect(html).toContain('A search has at most 500 characters, and this one has 3,000')
    expect(html).toContain('the cart is not a function of price')
  })

  it('that finds nothing says where there would be something', async () => {
    const { html } = await search('is:resolved cart')
    expect(html).toContain('No issues match')
    const archived = await open('member', '/issues?status=archived&q=cart')
    expect(await archived.text()).toContain('Show 1 unresolved')
  })
})

describe('the list of issues', () => {
  it('offers those who can triage everybody who reaches them, before any script has run', async () => {
    const { html } = await search('cart')
    for (const name of ['nobody', 'admin', 'viewer', 'member'])
      expect(html).toMatch(new RegExp(`name="assignee"[^>]*>(<bdi>)?${name}<`, 'i'))
    expect(html).not.toContain('<bdi>outsider</bdi>')
    expect((await search('cart', 'viewer')).html).not.toContain('name="assignee"')
  })
})

describe('a text that names one thing', () => {
  beforeAll(async () => {
    await send([
      { event_id: eventId, message: 'whole', fingerprint: ['whole'] },
      { message: 'part', fingerprint: ['part'] },
    ])
  })

  it('leads to it', async () => {
    const issueId = idByTitle('whole')
    for (const text of [
      shortId('whole'),
      shortId('whole').toLowerCase(),
      `${server.origin}/issues/${issueId}`,
    ])
      expect(await search(text)).toMatchObject({ status: 307, location: `/issues/${issueId}` })
    expect(await search(`${server.origin}/events/${eventId}`)).toMatchObject({
      location: `/events/${eventId}`,
    })
    for (const text of [eventId, eventId.slice(0, 12), eventId.toUpperCase()]) {
      const { location } = await search(text)
      expect(location).toBe(`/digest/${text.toLowerCase()}`)
      expect((await open('member', location)).headers.get('location')).toBe(`/events/${eventId}`)
    }
  })

  it('leads nobody else there, and says in words that there is nothing', async () => {
    const { status, html } = await search(shortId('whole'), 'outsider')
    expect(status).toBe(200)
    expect(html).not.toContain('whole')
    expect((await search('FIXTURE-ZZZ')).html).toContain('It may have been deleted.')
    expect((await search('NOWHERE-1')).html).toContain('no project that you reach is called')
    expect(await (await open('member', `/digest/${'9'.repeat(32)}`)).text()).toContain('No event kept here')
  })

  it('leads to the issue that it was merged into', async () => {
    const [whole, part, called] = [idByTitle('whole'), idByTitle('part'), shortId('part')]
    const { id } = listServerFunctions(root).get('setMerged') ?? { id: '' }
    const fields = new URLSearchParams([
      ['issueIds', whole],
      ['issueIds', part],
      ['intoId', whole],
    ])
    const headers = { cookie: cookies['member'] ?? '', 'sec-fetch-site': 'same-origin' }
    await fetch(`${server.origin}/_serverFn/${id}`, {
      method: 'POST',
      redirect: 'manual',
      headers,
      body: fields,
    })
    expect((await search(called)).location).toBe(`/issues/${whole}`)
    expect((await open('member', `/issues/${called}`)).headers.get('location')).toBe(`/issues/${whole}`)
    expect((await open('member', `/issues/${part}`)).headers.get('location')).toBe(`/issues/${whole}`)
  })
})

describe('a saved search', () => {
  it('is anybody’s own, and shared by members of the organization', async () => {
    await save('viewer', 'mine')
    await save('viewer', 'not to be shared', '1')
    await save('outsider', 'nor by others', '1')
    await save('member', 'shared', '1')
    expect(saved()).toEqual(['mine', 'shared'])
    expect(await seenBy('viewer')).toEqual(['mine', 'shared'])
    expect(await seenBy('admin')).toEqual(['shared'])
    expect(await seenBy('outsider')).toEqual([])
  })

  it('is changed and deleted by its maker, and by admins where it is shared', async () => {
    for (const person of ['viewer', 'outsider']) await change(person, 'shared', 'stolen')
    for (const person of ['member', 'admin', 'outsider']) await change(person, 'mine', 'stolen')
    expect(saved()).toEqual(['mine', 'shared'])
    await change('admin', 'shared', 'renamed')
    expect(saved()).toEqual(['mine', 'renamed'])
    for (const person of ['viewer', 'outsider'])
      await post(person, 'changeSavedSearch', { action: 'delete', id: savedId('renamed') })
    for (const person of ['admin', 'outsider'])
      await post(person, 'changeSavedSearch', { action: 'delete', id: savedId('mine') })
    expect(saved()).toEqual(['mine', 'renamed'])
    await post('member', 'changeSavedSearch', { action: 'delete', id: savedId('renamed') })
    await post('viewer', 'changeSavedSearch', { action: 'delete', id: savedId('mine') })
    expect(saved()).toEqual([])
  })
})
