import { afterAll, describe, expect, it } from 'vitest'
import { parseDsn } from '#protocol/dsn.ts'
import { createUpstream } from '#server/store/upstreams/upstreams.ts'
import { fixtureProject } from '#test/start-server.ts'
import { type TestPerson, startTestConsole } from '#test/test-console.ts'

const console = await startTestConsole()
await console.send(
  { message: 'Trouble', release: 'web@1.2.3', environment: 'production' },
  { message: 'More trouble', user: { id: '7' } },
)
const { store } = console.services
const dsn = parseDsn('https://0123456789abcdef0123456789abcdef@upstream.example/7')
if (dsn === undefined) throw new Error('the DSN is none')
await createUpstream(store, { projectId: fixtureProject.id, dsn })
await console.services.committer.commit({
  events: [],
  outcomes: [],
  deadLetters: [
    {
      projectId: fixtureProject.id,
      itemType: 'event',
      category: 'error',
      reason: 'a bug',
      receivedAt: Date.now(),
      payload: Buffer.from('{}'),
    },
  ],
})
afterAll(() => console.stop())

/** The text of a page for users without access. */
const rejections = /Only admins and owners|Admins and owners of an organization make|No dead letters\./

/** Follows every link from page to page; returns each with its page. Two pages of each kind. */
async function crawl(person: TestPerson): Promise<{ rejected: string[]; opened: string[] }> {
  const found = new Map([['/issues', 'the start']])
  const kinds = new Map<string, number>()
  const rejected: string[] = []
  for (const [path, from] of found) {
    const kind =
      path.replace(/\?.*/, '').replaceAll(/[0-9a-f]{8,}|\d+/g, 'N') +
      [...new URLSearchParams(path.split('?')[1]).keys()].join()
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    if ((kinds.get(kind) ?? 0) > 2) continue
    const answer = await console.open(person, path)
    const html = await answer.text()
    const isRejected = answer.status >= 400 || rejections.test(html)
    if (isRejected) rejected.push(`${path} (${answer.status}), linked from ${from}`)
    if (answer.headers.get('content-type')?.includes('html') !== true) continue
    for (const [, link = ''] of html.matchAll(/href="(\/(?!assets\/)[^"#]*)/g)) {
      const target = link.replaceAll('&amp;', '&')
      if (!found.has(target)) found.set(target, path)
    }
  }
  return { rejected, opened: [...found.keys()] }
}

/** The pages that the settings of a project link to. */
const pagesOf = async (person: TestPerson) => {
  const html = await (await console.open(person, `/projects/${fixtureProject.name}`)).text()
  const [, nav = ''] = /<nav class="project-nav"([^]*?)<\/nav>/.exec(html) ?? []
  return [...nav.matchAll(/href="[^"]*?\/fixture\/?([a-z-]*)"/g)].map(([, page]) => page)
}

/** True if `/outcomes` links to the dead letters. */
const hears = async (person: TestPerson) =>
  (await (await console.open(person, '/outcomes')).text()).includes('/outcomes/dead-letters')

describe('a user who follows every link', () => {
  it.each(['viewer', 'member', 'admin'] as const)(
    'as %s reaches no page without access',
    async (person) => {
      const { rejected, opened } = await crawl(person)
      expect(rejected).toEqual([])
      for (const path of [
        '/projects',
        '/outcomes',
        '/settings',
        '/tunnel',
        `/projects/${fixtureProject.name}/setup`,
      ])
        expect(opened).toContain(path)
    },
    120_000,
  )

  it('finds the settings of a project that they can open', async () => {
    expect(await pagesOf('viewer')).toEqual(['', 'setup', 'source-maps', 'members'])
    expect(await pagesOf('member')).toEqual([
      '',
      'setup',
      'inbound',
      'scrubbing',
      'grouping',
      'alerts',
      'source-maps',
      'ownership',
      'limits',
      'members',
    ])
    expect(await pagesOf('admin')).toHaveLength(13)
  })

  it('finds dead letters if they can open them', async () => {
    expect([await hears('viewer'), await hears('member'), await hears('admin')]).toEqual([false, false, true])
    const page = await (await console.open('member', '/outcomes/dead-letters')).text()
    expect(page).toContain('Only admins and owners can see dead letters.')
    expect(page).not.toContain('Every received item was processed.')
  })
})

describe('a path of Sentry, to which tools link', () => {
  const id = 'a'.repeat(32)

  it.each([
    ['issues/7/', '/issues/7'],
    ['issues/SHOP-1A/?project=2', '/issues/SHOP-1A'],
    [`issues/7/events/${id}/`, `/events/${id}`],
    ['issues/7/events/latest/', '/issues/7'],
    ['issues/?query=is:unresolved%20level:error', '/issues?q=is%3Aunresolved%20level%3Aerror'],
    [`discover/shop:${id}/`, `/events/${id}`],
    ['releases/shop%401.0.0/', '/releases/shop%401.0.0'],
    [`explore/traces/trace/${id}/`, `/traces/${id}`],
    [`performance/trace/${id}/?node=span-1`, `/traces/${id}`],
    ['projects/shop/', '/projects/shop'],
    ['dashboards/', '/issues'],
  ])('organizations/default/%s redirects to the corresponding page', async (address, target) => {
    const answer = await console.open('viewer', `/organizations/default/${address}`)
    expect(answer.headers.get('location')).toBe(target)
  })
})
