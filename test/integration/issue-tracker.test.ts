import { afterAll, describe, expect, it } from 'vitest'
import { startTrackerConsole } from '#test/tracker-console.ts'
import { issueToken, jiraAccount } from '#test/tracker-service.ts'

const { server, service, settingsPath, save, send, page, create, links, readWebhook, stop } =
  await startTrackerConsole()
afterAll(stop)

const noticeOf = (answer: Response) => decodeURIComponent(answer.headers.get('set-cookie') ?? '')

describe('“Create issue” of an issue', () => {
  it('is a link to the form of the tracker, filled in, and absent without one', async () => {
    const id = await send('Cart is <b>broken</b> & "odd"')
    expect(await page(id)).not.toContain('Create issue in')
    expect(await save({ kind: 'jira', url: 'https://acme.atlassian.net/', jiraProject: '10000' })).toBe(
      '303 ',
    )
    const html = await page(id)
    const [, href = ''] = /href="([^"]+)"[^>]*>Create issue in/.exec(html) ?? []
    const url = new URL(href.replaceAll('&amp;', '&'))
    expect(url.origin + url.pathname).toBe('https://acme.atlassian.net/secure/CreateIssueDetails!init.jspa')
    expect(url.searchParams.get('summary')).toBe('Cart is <b>broken</b> & "odd"')
    expect(url.searchParams.get('description')).toContain(`${server.services.publicOrigin}/issues/${id}`)
    expect(await page(id, 'viewer')).not.toContain('Create issue in')
  })

  it('creates it at once with a token of GitHub, which is stored encrypted, and keeps the link', async () => {
    const id = await send('Payment ``` @octocat fails')
    const repository = `${service.origin}/acme/shop`
    expect(await save({ kind: 'github', url: `${repository}.git`, token: issueToken })).toBe('303 ')
    expect(server.read('SELECT settings FROM projects WHERE id = 42')[0]).not.toContain(issueToken)
    expect(await (await server.open('admin', settingsPath)).text()).not.toContain(issueToken)
    const answer = await create(id)
    expect(noticeOf(answer)).toContain('Created acme/shop#1.')
    const [{ path, headers, fields } = { path: '', headers: {}, fields: {} }] = service.requests.slice(-1)
    expect(path).toBe('/api/v3/repos/acme/shop/issues')
    expect(headers['x-github-api-version']).toBe('2022-11-28')
    expect(fields['title']).toBe('Payment ``` @octocat fails')
    expect(fields['body']).toMatch(
      /^FIXTURE-\w+ in Culvert: http[^\n]+\n\n````\nPayment ``` @octocat fails\n/,
    )
    expect(links()).toEqual(['acme/shop#1 0'])
    const html = await page(id)
    expect(html).toContain(`href="${repository}/issues/1"`)
    expect(noticeOf(await create(id))).toContain('was linked a moment ago')
    expect(service.requests.length).toBe(1)
  })

  it('creates it in GitLab, also in a group of a group', async () => {
    const id = await send('In GitLab')
    await save({ kind: 'gitlab', url: `${service.origin}/acme/web/shop`, token: issueToken })
    await create(id)
    const [sent] = service.requests.slice(-1)
    expect([sent?.path, sent?.fields['title']]).toEqual([
      '/api/v4/projects/acme%2Fweb%2Fshop/issues',
      'In GitLab',
    ])
    expect(links().at(-1)).toBe('acme/web/shop#2 0')
  })

  const markup = '{code} {noformat} [~admin] ``` /close @ada'

  it.each([
    ['Cloud', jiraAccount, '3'],
    ['Data Center', '', '2'],
  ])('creates it in Jira %s, where the text of the event stays text', async (_, jiraEmail, version) => {
    const id = await send(`${markup} ${version}`)
    const jira = { kind: 'jira', url: `${service.origin}/`, jiraProject: '10000', jiraType: '10001' }
    expect(await save({ ...jira, jiraEmail, token: issueToken })).toBe('303 ')
    const notice = noticeOf(await create(id))
    const [sent] = service.requests.slice(-1)
    expect(sent?.path).toBe(`/rest/api/${version}/issue`)
    expect(notice).toContain(`Created SHOP-${service.requests.length}.`)
    const text = JSON.stringify(sent?.fields)
    expect(text).toContain('[~admin] ``` /close @ada')
    expect(text.match(/noformat\}/g)).toHaveLength(version === '3' ? 2 : 4)
    expect(text).toContain(`${server.services.publicOrigin}/issues/${id}`)
    expect(await page(id)).toContain(`href="${service.origin}/browse/SHOP-${service.requests.length}"`)
  })

  it('creates it in Linear, in the team of the address', async () => {
    const id = await send(`${markup} in Linear`)
    const url = `${service.origin}/acme/team/ENG/active`
    expect(await save({ kind: 'linear', url, token: issueToken })).toBe('303 ')
    const notice = noticeOf(await create(id))
    const number = service.requests.length
    expect(notice).toContain(`Created ENG-${number}.`)
    expect(service.requests.slice(-2).map(({ path }) => path)).toEqual(['/graphql', '/graphql'])
    expect(JSON.stringify(service.requests.at(-1)?.fields)).toContain('\\n````\\n')
    expect(await page(id)).toContain(`href="${service.origin}/acme/issue/ENG-${number}"`)
    await save({ kind: 'linear', url: `${service.origin}/acme/team/OPS` })
    expect(noticeOf(await create(await send('No team')))).toContain('has no team OPS')
  })

  it.each([
    [{ kind: 'jira', jiraType: '10001', jiraEmail: jiraAccount, token: 'wrong' }, 'must be authenticated'],
    [{ kind: 'jira', jiraType: '999', jiraEmail: jiraAccount, token: issueToken }, 'fields.issuetype.id: is'],
    [{ kind: 'linear', token: 'wrong' }, 'answers 401: the token is wrong or has expired. “Authentication'],
  ])('quotes the error of Jira and Linear: %j', async (fields, expected) => {
    const url = fields.kind === 'linear' ? `${service.origin}/acme/team/ENG` : service.origin
    expect(await save({ jiraProject: '10000', url, ...fields })).toBe('303 ')
    const before = links()
    expect(noticeOf(await create(await send(`Not created: ${JSON.stringify(fields)}`)))).toContain(expected)
    expect(links()).toEqual(before)
  })

  it.each([
    { status: 200, body: { data: null, errors: [{ message: 'Entity not found: Team' }] } },
    { status: 200, body: { data: { teams: { nodes: [{ id: 7 }] } } } },
    { status: 200, body: [] },
  ])('survives any answer of Linear: %j', async (answer) => {
    await save({ kind: 'linear', url: `${service.origin}/acme/team/ENG`, token: issueToken })
    const id = await send(`Odd answer ${JSON.stringify(answer)}`)
    service.answerNext(answer)
    expect(noticeOf(await create(id))).toContain('did not create the issue.')
  })

  it.each([
    [{ status: 401, body: { message: 'Bad credentials' } }, 'the token is wrong or has expired'],
    [{ status: 410, body: { message: 'Issues are disabled' } }, 'issues are disabled in this repository'],
    [{ status: 302, body: {}, headers: { location: 'http://127.0.0.1:1/' } }, 'it did not create the issue'],
    [{ status: 201, body: { web_url: 'javascript:alert(1)//a/b/issues/1' } }, 'has no URL of the issue'],
    [{ status: 201, body: { web_url: 'https://evil.example/a/b/-/issues/1' } }, 'has no URL of the issue'],
    [{ status: 201, body: [] }, 'has no URL of the issue'],
  ])('explains why the tracker did not create it, and keeps no link: %j', async (answer, expected) => {
    await save({ kind: 'gitlab', url: `${service.origin}/acme/shop`, token: issueToken })
    const id = await send(`Not created ${expected} ${JSON.stringify(answer)}`)
    const before = links()
    service.answerNext(answer)
    expect(noticeOf(await create(id))).toContain(expected)
    expect(links()).toEqual(before)
  })

  it('connects only to addresses that are allowed for destinations of alerts', async () => {
    const id = await send('Inside')
    await save({ kind: 'github', url: 'http://127.0.0.1:9/acme/shop', token: issueToken })
    expect(noticeOf(await create(id))).toContain('its address is on this machine or a private network')
  })

  it('sends a token only to the host that it was entered for', async () => {
    await save({ kind: 'github', url: `${service.origin}/acme/shop`, token: issueToken })
    await save({ kind: 'github', url: `${service.origin}/acme/other` })
    expect(server.read('SELECT settings FROM projects WHERE id = 42')[0]).toContain('sealedToken')
    await save({ kind: 'github', url: 'https://github.example/acme/shop' })
    expect(server.read('SELECT settings FROM projects WHERE id = 42')[0]).not.toContain('sealedToken')
  })
})

describe('the settings of the tracker', () => {
  it.each([
    [{ kind: 'jira', url: 'no address' }, 'Enter a URL that begins with https://'],
    [{ kind: 'github', url: 'https://user:secret@github.com/acme/shop' }, 'without a password'],
    [{ kind: 'github', url: 'javascript:alert(1)' }, 'Enter a URL that begins with https://'],
    [{ kind: 'github' }, 'Enter the URL of the repository or site'],
    [{ kind: 'jira', url: 'https://acme.atlassian.net' }, 'Jira needs the numeric ID of the project'],
    [{ kind: 'linear', token: 'lin_api_1' }, 'enter the address of the team'],
    [{ kind: 'linear', token: 'lin_api_1', url: 'https://linear.app/acme' }, 'enter the address of the team'],
    [{ kind: 'none', token: 'ghp_1' }, 'A token needs a tracker'],
    [{ kind: 'linear', token: 'lin api' }, 'contain no spaces'],
    [{ kind: 'linear', jiraEmail: 'ada:secret@acme.example' }, 'Enter an email address'],
    [
      { kind: 'jira', url: 'https://acme.atlassian.net', jiraProject: '1', token: 'x' },
      'Jira needs the number of the issue type',
    ],
    [{ kind: 'github', url: 'https://github.com/a/b', webhookSecret: 'x' }, 'only for Linear'],
  ])('reject %j with the reason at the field', async (fields, expected) => {
    expect(await save(fields)).toMatch(new RegExp(`^4\\d\\d [^]*${expected}`))
  })

  it('can be a Linear workspace without an address, for the form there', async () => {
    expect(await save({ kind: 'linear' })).toBe('303 ')
    expect(await page(await send('By the form of Linear'))).toContain('href="https://linear.new?title=')
  })

  it('are changed by admins only, who also see the secret of the webhook', async () => {
    const before = server.read('SELECT settings FROM projects WHERE id = 42')
    expect(await save({ kind: 'linear' }, 'member')).toMatch(/^403/)
    expect(server.read('SELECT settings FROM projects WHERE id = 42')).toEqual(before)
    const { secret } = await readWebhook()
    expect(secret).toHaveLength(48)
    expect(await (await server.open('member', settingsPath)).text()).not.toContain(secret)
  })
})

describe('a link to an issue of a tracker', () => {
  it('can be added by its address and removed, and is listed after a merge', async () => {
    const [one, two] = [await send('Linked one'), await send('Linked two')]
    const url = 'https://linear.app/acme/issue/ENG-7'
    const link = (does: string, id: string, address: string) =>
      server.post('member', 'issueLink', { issueId: id, does, url: address })
    expect(noticeOf(await link('link', one, 'javascript:alert(1)'))).toContain('Enter the URL of an issue')
    expect(noticeOf(await link('link', one, `${url}/cart?a#comment-1`))).toContain('Linked ENG-7.')
    expect(await page(one)).toContain(`href="${url}"`)
    await server.post('member', 'issueMerge', [
      ['issueIds', one],
      ['issueIds', two],
      ['intoId', two],
      ['other', ''],
    ])
    expect(await page(two)).toContain(`href="${url}"`)
    expect(noticeOf(await link('unlink', two, url))).toContain('Link removed.')
    expect(links().filter((each) => each.startsWith('ENG-7'))).toEqual([])
    expect(noticeOf(await link('unlink', two, url))).toContain('no longer exists')
  })

  it('is not changed by viewers and other organizations', async () => {
    const id = await send('Foreign')
    const before = links()
    for (const person of ['viewer', 'outsider'] as const)
      await server.post(person, 'issueLink', {
        issueId: id,
        does: 'link',
        url: 'https://a.test/b/c/issues/1',
      })
    expect(links()).toEqual(before)
  })
})
