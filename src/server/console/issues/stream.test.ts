import { describe, expect, it } from 'vitest'
import type { EventRecord } from '#server/store/ingest/records.ts'
import { recordDefaultSearch, recordSavedSearch } from '#server/store/issues/saved-searches.ts'
import { createReadRounds } from '#test/read-rounds.ts'
import { makeEventRecord, openTestStore, testId, testNow, testViewer } from '#test/test-store.ts'
import { hourMs } from '#time/time-steps.ts'
import { listIssueView } from './stream.ts'
import type { IssueSearch } from './views.ts'

type Fields = Partial<EventRecord> & { agoMs?: number; times?: number }

/** Issues by title, each with its events. */
async function openStream(issues: Record<string, Fields>) {
  const rounds = createReadRounds()
  const store = await openTestStore({ readPlugins: [rounds.plugin] })
  store.connection.exec(`INSERT INTO users (id, name, email, created_at, updated_at)
    VALUES ('ada', 'Ada', 'ada@example.com', '', ''), ('bob', 'Bob', 'bob@example.com', '', '')`)
  const events = Object.entries(issues).flatMap(([title, { agoMs = 0, times = 1, ...fields }]) =>
    Array.from({ length: times }, (_, index) => {
      const at = testNow - agoMs
      const eventId = testId(`${title} ${index}`)
      const base = { title, groupHash: testId(title), eventId, occurredAt: at, receivedAt: at }
      return makeEventRecord({ ...base, ...fields, userKey: `id:${index}` })
    }),
  )
  await store.commit(...events)
  const search = (q: string, more: IssueSearch = {}) =>
    listIssueView({ store, clock: () => testNow }, testViewer, { q, ...more })
  const titles = async (q: string, more: IssueSearch = {}) =>
    (await search(q, { status: 'all', ...more })).issues.map(({ title }) => title).toSorted()
  return { store, rounds, search, titles }
}

const shop = {
  Alpha: {
    level: 'fatal',
    tags: [
      ['region', 'eu'],
      ['browser.name', 'Firefox 1'],
    ],
    release: 'web@1',
  },
  Beta: {
    times: 12,
    agoMs: 50 * hourMs,
    tags: [
      ['region', 'us'],
      ['browser.name', 'Chrome 9'],
    ],
  },
  Gamma: {
    projectId: 2,
    environment: 'staging',
    subtitle: 'cannot read handleClick',
    message: 'lost socket',
  },
} satisfies Record<string, Fields>

describe('a search of the stream', () => {
  it('needs three rounds of statements, and one more for terms with an index', async () => {
    const { search, rounds } = await openStream(shop)
    const roundsOf = async (q: string) => (await rounds.count(() => search(q))).roundCount
    for (const q of ['', 'is:open', 'project:web', 'WEB-999'])
      expect(await roundsOf(q)).toBeLessThanOrEqual(3)
    const all =
      'level:error region:[eu, us] browser.name:F* has:region is:new "read" !title:x timesSeen:>0 alpha'
    for (const q of ['x', 'region:eu', all]) expect(await roundsOf(q)).toBeLessThanOrEqual(4)
  })

  it.each([
    ['level:fatal', ['Alpha']],
    ['level:[fatal, error]', ['Alpha', 'Beta', 'Gamma']],
    ['region:eu', ['Alpha']],
    ['!region:eu', ['Beta', 'Gamma']],
    ['region:[eu, us]', ['Alpha', 'Beta']],
    ['region:e*', ['Alpha']],
    ['browser.name:"Firefox 1"', ['Alpha']],
    ['region:us browser.name:Chrome*', ['Beta']],
    ['region:us browser.name:Firefox*', []],
    ['has:region', ['Alpha', 'Beta']],
    ['!has:region', ['Gamma']],
    ['environment:staging', ['Gamma']],
    ['environment:prod*', ['Alpha', 'Beta']],
    ['project:api', ['Gamma']],
    ['!project:api', ['Alpha', 'Beta']],
    ['project:nowhere', []],
    ['timesSeen:>10', ['Beta']],
    ['users:>1', ['Beta']],
    ['users:1', ['Alpha', 'Gamma']],
    ['user.id:11', ['Beta']],
    ['firstSeen:-24h', ['Alpha', 'Gamma']],
    ['lastSeen:+24h', ['Beta']],
    ['firstSeen:2026-11-19', ['Beta']],
    ['is:new', ['Alpha', 'Gamma']],
    ['handleClick', ['Gamma']],
    ['click', ['Gamma']],
    ['"cannot read"', ['Gamma']],
    ['"read cannot"', []],
    ['!click', ['Alpha', 'Beta']],
    ['message:socket', ['Gamma']],
    ['title:socket', []],
    ['alph', ['Alpha']],
    ['alph*', ['Alpha']],
    ['100%', []],
    ['is:assigned', []],
    ['is:unassigned region:eu', ['Alpha']],
  ] as [string, string[]][])('for %s finds %j', async (q, found) => {
    const { store, titles } = await openStream({
      ...shop,
      Beta: { ...shop.Beta, tags: [...shop.Beta.tags, ['user', 'id:11']] },
    })
    expect(await titles(q)).toEqual(found)
    // A frequent value is checked for each issue instead.
    store.connection.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= 5000)
      INSERT INTO issue_tags SELECT 9, i, 'region', v.column1, 1, 0 FROM n, (VALUES ('eu'), ('us')) AS v`)
    expect(await titles(q)).toEqual(found)
  })

  it.each(['first_seen', 'events', 'users', 'trend'] as const)(
    'of a time range has the same result sorted by %s, with few or many issues',
    async (sort) => {
      const { store, search } = await openStream({
        Old: { times: 9, agoMs: 30 * hourMs },
        Alpha: { times: 3, agoMs: 2 * hourMs },
        Beta: { times: 2, agoMs: hourMs },
      })
      const range = { range: '24h', sort, status: 'all' } as const
      const few = await search('', range)
      expect(few.issues.map(({ title }) => title).toSorted()).toEqual(['Alpha', 'Beta'])
      expect((await search('!title:Beta', range)).issues.map(({ title }) => title)).toEqual(['Alpha'])
      expect(few.counts).toMatchObject({ unresolved: { count: 2 }, resolved: { count: 0 } })
      // After those issues in every order.
      store.connection
        .prepare(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= 2000)
        INSERT INTO issues (project_id, id, number, type, title, subtitle, culprit, level, platform, status, mechanism,
          first_seen_at, last_seen_at, event_count, user_count, trend, first_event_id, latest_event_id)
        SELECT 1, i, i + 100, 'error', 'n', '', '', 'info', 'node', 'archived', 'v1', 1, ${testNow}, 1, 0, -9, x'00', x'00' FROM n`)
        .run()
      const many = await search('', range)
      expect(many.issues.slice(0, 2)).toEqual(few.issues)
      expect(many.issues).toHaveLength(50)
      expect(many.issues.map(({ title }) => title)).not.toContain('Old')
      expect((await search('is:unresolved', range)).issues).toEqual(few.issues)
    },
  )

  it('of a time range interprets a word the same way in every sort order', async () => {
    const { titles } = await openStream({
      Alpha: { agoMs: hourMs },
      Bread: { agoMs: hourMs, subtitle: 'thread' },
      ...Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`read ${name}`, { agoMs: 30 * hourMs }])),
    })
    for (const sort of ['last_seen', 'first_seen', 'events', 'users', 'trend'] as const)
      expect(await titles('read', { range: '24h', sort })).toEqual([])
  })

  it('interprets a word the same way next to a tag of fewer issues', async () => {
    const { titles } = await openStream({
      Bread: { subtitle: 'thread', tags: [['region', 'eu']] },
      'read eu': { tags: [['region', 'eu']] },
      ...Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`read ${name}`, {}])),
    })
    expect(await titles('read region:eu')).toEqual(['read eu'])
    expect(await titles('read cannot')).toEqual([])
    expect(await titles('eu read')).toEqual(['read eu'])
  })

  it('filters by assignee', async () => {
    const { store, titles } = await openStream(shop)
    store.connection.exec(`UPDATE issues SET assignee_id = 'ada' WHERE title = 'Alpha'`)
    store.connection.exec(`UPDATE issues SET assignee_id = 'bob' WHERE title = 'Beta'`)
    expect(await titles('is:for_me')).toEqual(['Alpha'])
    expect(await titles('assigned:bob@example.com')).toEqual(['Beta'])
    expect(await titles('assigned:[me, none]')).toEqual(['Alpha', 'Gamma'])
    expect(await titles('!assigned:me')).toEqual(['Beta', 'Gamma'])
    expect(await titles('assigned:nobody@example.com')).toEqual([])
  })

  it('resolves the latest release of each project', async () => {
    const { titles } = await openStream({
      Old: { release: 'web@1', tags: [['release', 'web@1']], agoMs: 48 * hourMs },
      New: { release: 'web@2', tags: [['release', 'web@2']] },
      Other: { projectId: 2, release: 'api@1', tags: [['release', 'api@1']], agoMs: 90 * hourMs },
    })
    expect(await titles('release:latest')).toEqual(['New', 'Other'])
  })

  it('reports the parts that cannot be parsed, and lists issues without them', async () => {
    const { search } = await openStream(shop)
    const view = await search('level:fatal is:open', { status: 'all' })
    expect(view.issues.map(({ title }) => title)).toEqual(['Alpha'])
    expect(view.query.problems).toMatchObject([{ start: 12, end: 19 }])
  })

  it('returns the same for a hostile text', async () => {
    const { search } = await openStream(shop)
    for (const q of [
      `"' OR 1=1 --"`,
      `'); DROP TABLE issues; --`,
      'title:"a\\"b',
      '" *',
      'a* '.repeat(30),
      '\0\0a',
    ])
      expect(await search(q)).toHaveProperty('issues')
  })
})

describe('the tabs', () => {
  it('count the matches in each status', async () => {
    const { store, search } = await openStream(shop)
    store.connection.exec(`UPDATE issues SET status = 'resolved' WHERE title = 'Alpha'`)
    const counts = { unresolved: { count: 2 }, resolved: { count: 1 }, archived: { count: 0 } }
    expect((await search('')).counts).toMatchObject(counts)
    expect((await search('level:fatal')).counts).toMatchObject({
      unresolved: { count: 0 },
      resolved: { count: 1 },
    })
    expect((await search('region:eu')).counts).toMatchObject({
      unresolved: { count: 0 },
      resolved: { count: 1 },
    })
    expect((await search('is:resolved')).counts).toMatchObject(counts)
    expect((await search('is:resolved')).issues.map(({ title }) => title)).toEqual(['Alpha'])
    expect((await search('', { range: '24h' })).counts).toMatchObject({ unresolved: { count: 1 } })
  })

  it('report when there are more issues than the count limit', async () => {
    const { store, search } = await openStream(shop)
    store.connection
      .prepare(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5100)
      INSERT INTO issues (project_id, id, number, type, title, subtitle, culprit, level, platform, status, mechanism,
        first_seen_at, last_seen_at, event_count, user_count, first_event_id, latest_event_id)
      SELECT 1, i, i + 100, 'error', 'n', '', '', 'info', 'node', 'archived', 'v1', 1, 1, 1, 0, x'00', x'00' FROM n`)
      .run()
    for (const q of ['', 'level:info'])
      expect((await search(q)).counts.archived).toEqual({ count: 1_000, isMore: true })
    // None of the 5,000 seen last matches, and the others were not scanned.
    expect((await search('level:fatal')).counts.archived).toEqual({ count: 0, isMore: true })
    store.connection.exec("DELETE FROM issues WHERE status = 'archived' AND id BETWEEN 5001 AND 5100")
    expect((await search('level:fatal')).counts.archived).toEqual({ count: 0, isMore: false })
    expect((await search('level:info', { environment: 'nowhere' })).counts.archived).toEqual({
      count: 0,
      isMore: false,
    })
  })
})

describe('the bars', () => {
  it('span 24 hours, or 14 days for a longer time range or on request', async () => {
    const { search } = await openStream({ Old: { times: 4, agoMs: 30 * hourMs }, Now: {} })
    const barsOf = async (more: IssueSearch) => {
      const { bars, issues } = await search('', { sort: 'events', ...more })
      return { bars, counts: issues[0]?.bars }
    }
    expect(await barsOf({})).toEqual({ bars: '24h', counts: Array.from({ length: 24 }, () => 0) })
    const days = [...Array.from({ length: 12 }, () => 0), 4, 0]
    expect(await barsOf({ range: '30d' })).toEqual({ bars: '14d', counts: days })
    expect(await barsOf({ bars: '14d' })).toEqual({ bars: '14d', counts: days })
  })
})

describe('the order by trend', () => {
  it('starts with the issues that increased most', async () => {
    const { store, search } = await openStream({ Old: { times: 20, agoMs: 240 * hourMs }, Now: { times: 3 } })
    const { issues } = await search('', { sort: 'trend' })
    expect(issues.map(({ title }) => title)).toEqual(['Now', 'Old'])
    expect(
      Number(store.connection.prepare('SELECT min(trend) AS t FROM issues').get()?.['t']),
    ).toBeGreaterThan(0)
  })
})

describe('a short id', () => {
  it('finds its issue in either case, and no issue of an inaccessible project', async () => {
    const { store, search } = await openStream(shop)
    const id = String(store.connection.prepare(`SELECT id FROM issues WHERE title = 'Gamma'`).get()?.['id'])
    expect((await search('API-1')).hit).toEqual({ issueId: id })
    expect((await search('api-1')).hit).toEqual({ issueId: id })
    expect((await search('api-2')).hit).toBeUndefined()
    const [membership] = testViewer.memberships
    const viewer = { ...testViewer, memberships: membership ? [{ ...membership, projectIds: [1] }] : [] }
    const services = { store, clock: () => testNow }
    expect((await listIssueView(services, viewer, { q: 'API-1' })).hit).toBeUndefined()
  })
})

describe('saved searches', () => {
  it('include those of the user and of the organization; the default applies to an address without a search', async () => {
    const { store, search } = await openStream(shop)
    const own = { userId: 'ada', name: 'Mine', search: { q: 'is:for_me' } }
    const id = await recordSavedSearch(store, own)
    const his = await recordSavedSearch(store, { userId: 'bob', name: 'His', search: {} })
    await recordSavedSearch(store, {
      userId: 'bob',
      name: 'Ours',
      search: { q: 'is:new' },
      organizationId: 1,
    })
    await recordSavedSearch(store, { userId: 'bob', name: 'Theirs', search: {}, organizationId: 1 })
    expect((await search('x')).savedSearches.map(({ name }) => name)).toEqual(['Mine', 'Ours', 'Theirs'])
    const changeable = async (role: 'member' | 'admin') => {
      const memberships = testViewer.memberships.map((each) => ({ ...each, role }))
      const view = await listIssueView({ store, clock: () => testNow }, { ...testViewer, memberships }, {})
      return view.savedSearches.flatMap(({ name, canChange }) => (canChange ? name : []))
    }
    expect(await changeable('member')).toEqual(['Mine'])
    expect(await changeable('admin')).toEqual(['Mine', 'Ours', 'Theirs'])
    expect(await recordDefaultSearch(store, { userId: 'ada', organizationIds: [1] }, id)).toBe(true)
    const plain = await listIssueView({ store, clock: () => testNow }, testViewer, {})
    expect(plain.redirectSearch).toMatchObject({ q: 'is:for_me' })
    expect((await search('', { status: 'unresolved' })).redirectSearch).toBeUndefined()
    // A search of another user has no effect.
    expect(await recordDefaultSearch(store, { userId: 'ada', organizationIds: [1] }, his)).toBe(false)
    const again = await listIssueView({ store, clock: () => testNow }, testViewer, {})
    expect(again.redirectSearch).toMatchObject({ q: 'is:for_me' })
  })
})
