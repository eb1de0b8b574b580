import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { limits } from '#server/limits.ts'
import { startTestConsole, type TestPerson } from '#test/test-console.ts'

const eventId = 'ab12'.repeat(8)

const server = await startTestConsole()
afterAll(() => server.stop())

async function search(
  q: string,
  person: TestPerson = 'member',
): Promise<{ status: number; html: string; location: string }> {
  const answer = await server.open(person, `/issues?${new URLSearchParams({ q }).toString()}`)
  return {
    status: answer.status,
    html: answer.status === 200 ? await answer.text() : '',
    location: answer.headers.get('location') ?? '',
  }
}

/** Of the first issue with that title. */
const idByTitle = (title: string) => server.read(`SELECT id FROM issues WHERE title = '${title}'`)[0] ?? ''
const shortId = (title: string, slug = 'fixture') => {
  const [number = ''] = server.read(`SELECT number FROM issues WHERE title = '${title}'`)
  return `${slug}-${Number(number).toString(36)}`.toUpperCase()
}

const saved = () => server.read('SELECT name FROM saved_searches ORDER BY name')
const savedId = (name: string) => server.read(`SELECT id FROM saved_searches WHERE name = '${name}'`)[0] ?? ''
const save = (person: TestPerson, name: string, sharedWith = '') =>
  server.post(person, 'savedSearch', { action: 'save', name, sharedWith, q: 'level:error' })
const change = (person: TestPerson, name: string, to: string) =>
  server.post(person, 'savedSearch', { action: 'change', id: savedId(name), name: to, sharedWith: '1' })
const seenBy = async (person: TestPerson) => {
  const html = await (await server.open(person, '/issues?status=all')).text()
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
    await server.send(...usual, broken, { ...broken, message: 'seldom', fingerprint: ['seldom'] })
    // Tags are folded into their table shortly after the commit.
    const tagged = `SELECT issue_id FROM issue_tags WHERE key = 'user.email'`
    await vi.waitUntil(() => server.read(tagged).length === 2, { timeout: 10_000 })
  })

  const whole =
    'is:unresolved level:error release:web@1.4 environment:production user.email:a@b.c browser.name:Firefox timesSeen:>100 firstSeen:-24h "not a function"'

  it('with every kind of token finds the issue with matching events', async () => {
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
  ])('finds a user by any known attribute: %s', async (q) => {
    expect((await search(q)).html).toContain('the cart is not a function of price')
  })

  it.each(['user.email:b@b.c', 'user.id:9', 'user.username:ad', 'user.ip:192.0.2.8', '!user.email:a@b.c'])(
    'finds no other user: %s',
    async (q) => {
      const { html } = await search(q)
      expect(html).toContain('No issues match')
      expect(html).not.toContain('the cart is not a function of price')
    },
  )

  it('that is too long is rejected, not truncated', async () => {
    const { status, html } = await search(`cart ${'x'.repeat(2_995)}`)
    expect(status).toBe(200)
    expect(html).toContain('A search has at most 500 characters, and this one has 3,000')
    expect(html).toContain('the cart is not a function of price')
  })

  it('without matches names other statuses with matches', async () => {
    const { html } = await search('is:resolved cart')
    expect(html).toContain('No issues match')
    const archived = await server.open('member', '/issues?status=archived&q=cart')
    expect(await archived.text()).toContain('Show 1 unresolved')
  })
})

const choice = (name: string) => new RegExp(`name="assignee"[^>]*>(<bdi>)?${name}<`, 'i')

describe('the list of issues', () => {
  it('offers users who can triage all users with access, before any script has run', async () => {
    const { html } = await search('cart')
    for (const name of ['unassigned', 'admin', 'viewer', 'member']) expect(html).toMatch(choice(name))
    expect(html).not.toMatch(choice('outsider'))
    expect((await search('cart', 'viewer')).html).not.toContain('name="assignee"')
  })
})

describe('the short id or event id of one record', () => {
  beforeAll(async () => {
    await server.send(
      { event_id: eventId, message: 'whole', fingerprint: ['whole'] },
      { message: 'part', fingerprint: ['part'] },
    )
  })

  it('redirects to it', async () => {
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
      expect((await server.open('member', location)).headers.get('location')).toBe(`/events/${eventId}`)
    }
  })

  it('does not redirect users without access, and reports that nothing was found', async () => {
    const { status, html } = await search(shortId('whole'), 'outsider')
    expect(status).toBe(200)
    expect(html).toContain('No project “fixture”, or you don’t have access.')
    expect(html).not.toContain('whole')
    expect((await search('FIXTURE-ZZZ')).html).toContain(
      'fixture has no issue FIXTURE-ZZZ. It may have been deleted.',
    )
    expect((await search('NOWHERE-1')).html).toContain('No project “nowhere”, or you don’t have access.')
    expect((await search('sign-in')).html).toContain('No issues match')
    expect((await search('sign-in')).html).not.toContain('No project')
    expect(await (await server.open('member', `/digest/${'9'.repeat(32)}`)).text()).toContain(
      'No stored event matches',
    )
  })

  it('has its issue under `/issues/SHORT-ID`, in any case, for users with access', async () => {
    const text = shortId('whole')
    for (const path of [`/issues/${text}`, `/issues/${text.toLowerCase()}`]) {
      const answer = await server.open('member', path)
      expect([path, answer.status, answer.headers.get('location')]).toEqual([
        path,
        307,
        `/issues/${idByTitle('whole')}`,
      ])
      expect((await server.open('outsider', path)).status).toBe(404)
    }
    for (const path of ['/issues/FIXTURE-ZZZ', '/issues/NOWHERE-1'])
      expect([path, (await server.open('member', path)).status]).toEqual([path, 404])
  })

  it.each([
    '?frames=all&trend=14d',
    '/events?environment=staging+%26+qa&zone=Asia%2FTokyo',
    '/events',
    '/tags?key=level',
    '/alerts',
  ])('has each page of the issue under `/issues/SHORT-ID`, with their query: %s', async (page) => {
    const answer = await server.open('member', `/issues/${shortId('whole')}${page}`)
    expect([answer.status, answer.headers.get('location')]).toEqual([
      307,
      `/issues/${idByTitle('whole')}${page}`,
    ])
    for (const [person, name] of [
      ['outsider', shortId('whole')],
      ['member', 'FIXTURE-ZZZ'],
      ['member', '17'],
    ] as const)
      expect([name, (await server.open(person, `/issues/${name}${page}`)).status]).toEqual([name, 404])
  })

  it('may begin with the longest slug of a project', async () => {
    const slug = 'x'.repeat(limits.projectSlugCharacters)
    const { connection } = server.services.store
    connection.exec(`UPDATE projects SET slug = '${slug}' WHERE slug = 'fixture'`)
    for (const page of ['', '/events', '/tags', '/alerts']) {
      const { headers } = await server.open('member', `/issues/${shortId('whole', slug)}${page}`)
      expect(headers.get('location')).toBe(`/issues/${idByTitle('whole')}${page}`)
    }
    connection.exec(`UPDATE projects SET slug = 'fixture' WHERE slug = '${slug}'`)
  })

  it('redirects to the issue that it was merged into', async () => {
    const [whole, part, called] = [idByTitle('whole'), idByTitle('part'), shortId('part')]
    await server.post('member', 'issueMerge', [
      ['issueIds', whole],
      ['issueIds', part],
      ['intoId', whole],
    ])
    expect((await search(called)).location).toBe(`/issues/${whole}`)
    for (const name of [part, called]) {
      const answer = await server.open('member', `/issues/${name}`)
      expect([name, answer.status, answer.headers.get('location')]).toEqual([name, 307, `/issues/${whole}`])
      expect((await server.open('outsider', `/issues/${name}`)).status).toBe(404)
      const { headers } = await server.open('member', `/issues/${name}/tags?key=level`)
      expect(headers.get('location')).toBe(`/issues/${whole}/tags?key=level`)
    }
  })
})

describe('a saved search', () => {
  it('belongs to one user, and is shared by members of the organization', async () => {
    await save('viewer', 'mine')
    await save('viewer', 'not to be shared', '1')
    await save('outsider', 'nor by others', '1')
    await save('member', 'shared', '1')
    expect(saved()).toEqual(['mine', 'shared'])
    expect(await seenBy('viewer')).toEqual(['mine', 'shared'])
    expect(await seenBy('admin')).toEqual(['shared'])
    expect(await seenBy('outsider')).toEqual([])
  })

  it('is changed and deleted by its creator, and by admins if it is shared', async () => {
    for (const person of ['viewer', 'outsider'] as const) await change(person, 'shared', 'stolen')
    for (const person of ['member', 'admin', 'outsider'] as const) await change(person, 'mine', 'stolen')
    expect(saved()).toEqual(['mine', 'shared'])
    await change('admin', 'shared', 'renamed')
    expect(saved()).toEqual(['mine', 'renamed'])
    for (const person of ['viewer', 'outsider'] as const)
      await server.post(person, 'savedSearch', { action: 'delete', id: savedId('renamed') })
    for (const person of ['admin', 'outsider'] as const)
      await server.post(person, 'savedSearch', { action: 'delete', id: savedId('mine') })
    expect(saved()).toEqual(['mine', 'renamed'])
    await server.post('member', 'savedSearch', { action: 'delete', id: savedId('renamed') })
    await server.post('viewer', 'savedSearch', { action: 'delete', id: savedId('mine') })
    expect(saved()).toEqual([])
  })
})
