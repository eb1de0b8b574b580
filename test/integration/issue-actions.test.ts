import { afterAll, describe, expect, it } from 'vitest'
import type { actions } from '#server/console/forms/actions.search.ts'
import { createProject } from '#server/store/projects/projects.ts'
import { fixtureProject } from '#test/start-server.ts'
import { startTestConsole, type TestPerson } from '#test/test-console.ts'

const server = await startTestConsole()
afterAll(() => server.stop())

/** One issue for each title. */
const send = (...titles: string[]) =>
  server.send(...titles.map((title) => ({ message: title, fingerprint: [title] })))

/** Of the issue with that title; 0 when there is none. */
const idOf = (title: string) => server.read(`SELECT id FROM issues WHERE title = '${title}'`)[0] ?? '0'

async function post(
  person: TestPerson,
  name: keyof typeof actions,
  fields: [string, string][],
): Promise<number> {
  return (await server.post(person, name, fields)).status
}

describe('an action on issues, posted as a form', () => {
  it('changes one and many, and does nothing for an unknown id', async () => {
    await send('one', 'two', 'three')
    const ids = ['one', 'two', '17'].map((title): [string, string] => [
      'issueIds',
      title === '17' ? '17' : idOf(title),
    ])
    expect(await post('member', 'issueStatus', [...ids, ['status', 'archived:week']])).toBe(303)
    expect(await post('member', 'issueAssignee', [...ids, ['assignee', 'me']])).toBe(303)
    expect(server.read('SELECT title, status, assignee_id IS NULL FROM issues ORDER BY number')).toEqual([
      'one archived 0',
      'two archived 0',
      'three unresolved 1',
    ])
    const html = await (await server.open('viewer', `/issues/${idOf('one')}`)).text()
    expect(html).toMatch(/archived(?:<!-- -->| )*this(?:<!-- -->| )*until <time/)
    expect(html).toContain('Assigned to')
  })

  it('resolves in a release whose name is no longer than those of events', async () => {
    await send('released')
    const fields: [string, string][] = [
      ['issueIds', idOf('released')],
      ['status', 'resolved:release'],
    ]
    const resolve = (release: string) => post('member', 'issueStatus', [...fields, ['release', release]])
    await resolve('x'.repeat(100_000))
    expect(server.read(`SELECT status FROM issues WHERE title = 'released'`)).toEqual(['unresolved'])
    expect(await resolve('shop@2.0.0')).toBe(303)
    expect(server.read(`SELECT status FROM issues WHERE title = 'released'`)).toEqual(['resolved'])
  })

  it.each<[keyof typeof actions, [string, string][]]>([
    ['issueStatus', [['status', 'resolved']]],
    ['issueAssignee', [['assignee', 'nobody']]],
    ['issueMerge', []],
    ['issueComment', [['text', 'hello']]],
    ['issueDeletion', []],
  ])('of another organization, or by a viewer, changes nothing: %s', async (name, fields) => {
    await send('mine', 'mine too')
    const before = server.read('SELECT * FROM issues ORDER BY id')
    const ids: [string, string][] = [
      ['issueIds', idOf('mine')],
      ['issueIds', idOf('mine too')],
      ['issueId', idOf('mine')],
    ]
    for (const person of ['outsider', 'viewer'] as const)
      expect(await post(person, name, [...ids, ...fields])).toBe(303)
    expect(server.read('SELECT * FROM issues ORDER BY id')).toEqual(before)
    expect(server.read(`SELECT * FROM issue_activity WHERE kind = 'comment'`)).toEqual([])
  })
})

describe('a merge', () => {
  it('redirects an old link, is listed with a link to unmerge, and can be unmerged', async () => {
    await send('stays', 'stays', 'goes')
    const [stays, goes] = [idOf('stays'), idOf('goes')]
    const link = `${server.origin}/issues/${goes}?trend=24h`
    await post('member', 'issueMerge', [
      ['issueIds', stays],
      ['intoId', stays],
      ['other', link],
    ])
    const answer = await server.open('viewer', `/issues/${goes}`)
    expect([answer.status, answer.headers.get('location')]).toEqual([307, `/issues/${stays}`])
    expect((await server.open('outsider', `/issues/${goes}`)).status).toBe(404)
    const html = await (await server.open('member', `/issues/${stays}`)).text()
    expect(html).toContain('Merged issues')
    expect(html).toContain(`value="${goes}"`)
    await post('member', 'issueUnmerge', [
      ['issueIds', stays],
      ['partIds', goes],
    ])
    expect((await server.open('viewer', `/issues/${goes}`)).status).toBe(200)
  })
})

describe('a comment', () => {
  it('is rendered as Markdown, and changed and deleted by its author only', async () => {
    await send('discussed')
    const issueId = idOf('discussed')
    const text =
      'so **be** it <script>alert(1)</script> [x](javascript:alert(1)) [docs](https://example.com/) FIXTURE-1'
    await post('member', 'issueComment', [
      ['issueId', issueId],
      ['text', text],
    ])
    const html = await (await server.open('viewer', `/issues/${issueId}`)).text()
    expect(html).toContain('<strong>be</strong>')
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(html).not.toContain('href="javascript:')
    expect(html).toContain('<a href="/issues/FIXTURE-1"')
    expect(html).toMatch(/<a href="https:\/\/example.com\/" rel="nofollow noopener noreferrer ugc"/)
    const [commentId = ''] = server.read(`SELECT id FROM issue_activity WHERE kind = 'comment'`)
    const fields: [string, string][] = [
      ['issueId', issueId],
      ['commentId', commentId],
      ['text', 'changed'],
    ]
    await post('admin', 'issueComment', fields)
    await post('admin', 'issueComment', [...fields, ['does', 'delete']])
    expect(server.read(`SELECT detail FROM issue_activity WHERE kind = 'comment'`)).toEqual([
      JSON.stringify({ text }),
    ])
    await post('member', 'issueComment', fields)
    expect(server.read(`SELECT detail FROM issue_activity WHERE kind = 'comment'`)).toEqual([
      '{"text":"changed"}',
    ])
    await post('member', 'issueComment', [...fields, ['does', 'delete']])
    expect(server.read(`SELECT detail FROM issue_activity WHERE kind = 'comment'`)).toEqual([])
  })
})

describe('a short id in a comment', () => {
  it('is a link if the reader has access to its project', async () => {
    await send('mentions')
    const { store, accounts } = server.services
    await createProject(store, { name: 'Api' })
    const [organization = ''] = server.read('SELECT max(id) FROM organizations')
    await createProject(store, { name: 'Secret', organizationId: Number(organization) })
    accounts.forgetViewers()
    store.connection.exec('UPDATE projects SET last_issue_number = 1 WHERE last_issue_number = 0')
    const issueId = idOf('mentions')
    await post('member', 'issueComment', [
      ['issueId', issueId],
      ['text', 'FIXTURE-1 API-1 API-2 SECRET-1'],
    ])
    const html = await (await server.open('viewer', `/issues/${issueId}`)).text()
    expect(html.match(/<a href="\/issues\/[A-Z]+-\d+"/g)).toEqual([
      '<a href="/issues/FIXTURE-1"',
      '<a href="/issues/API-1"',
    ])
  })
})

describe('a deleted issue', () => {
  it('is deleted by admins, and with "discard" its events are dropped until they are allowed again', async () => {
    await send('noise')
    const issueId = idOf('noise')
    await post('member', 'issueDeletion', [['issueIds', issueId]])
    expect((await server.open('viewer', `/issues/${issueId}`)).status).toBe(200)
    await post('admin', 'issueDeletion', [
      ['issueIds', issueId],
      ['discards', 'yes'],
    ])
    expect((await server.open('admin', `/issues/${issueId}`)).status).toBe(404)
    await send('noise')
    expect(idOf('noise')).toBe('0')
    expect(server.read(`SELECT reason FROM outcome_hours WHERE outcome = 'filtered'`)).toEqual([
      'discarded-hash',
    ])
    const [slug = ''] = server.read(`SELECT slug FROM projects WHERE id = ${fixtureProject.id}`)
    const html = await (await server.open('admin', `/projects/${slug}/inbound`)).text()
    const [, hash = ''] = /name="hash" value="([0-9a-f]{32})"/.exec(html) ?? []
    const letIn = (person: TestPerson) =>
      server.postTo(person, `/projects/${slug}/inbound`, { action: 'let-in', hash })
    expect((await letIn('member')).status).toBe(403)
    await send('noise')
    expect(idOf('noise')).toBe('0')
    expect((await letIn('admin')).status).toBe(303)
    await send('noise')
    expect(idOf('noise')).not.toBe('0')
  })
})
