import { describe, expect, it } from 'vitest'
import { readOwnMigrations } from '#server/store/engine/migrations.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import type { EventRecord } from '#server/store/ingest/records.ts'
import { onPostgres } from '#test/engine.ts'
import { makeEventRecord, openTestStore, testId, testNow, entryOf } from '#test/test-store.ts'
import { minuteMs } from '#time/time-steps.ts'
import { recordRelease } from './changes.ts'
import { readCommitHeads } from './commits.ts'
import {
  findPreviousRelease,
  findPreviousWithCommits,
  findReleases,
  listIssuesOfRelease,
  listReleases,
  releaseCursors,
} from './releases.ts'

const projectIds = [1, 2]

/** A store to which one release after another was reported, a minute apart. */
async function openWith(...releases: (string | Partial<EventRecord>)[]) {
  const store = await openTestStore()
  const committer = createCommitter(store)
  for (const [index, each] of releases.entries()) {
    const fields = typeof each === 'string' ? { release: each } : each
    const eventId = testId(String(index))
    const occurredAt = testNow + index * minuteMs
    await committer.commit(entryOf(makeEventRecord({ eventId, groupHash: eventId, occurredAt, ...fields })))
  }
  const versions = async (query: Partial<Parameters<typeof listReleases>[1]>) => {
    const page = await listReleases(store.db, { projectIds, sort: 'date', limit: 50, ...query })
    return page.releases.map(({ version }) => version)
  }
  return { store, committer, versions }
}

describe('the list of releases', () => {
  it('is sorted by date, or by version with commits behind', async () => {
    const { versions } = await openWith('web@1.9.0', 'web@1.10.0', '3e1c8b0', 'web@1.9.1')
    expect(await versions({})).toEqual(['web@1.9.1', '3e1c8b0', 'web@1.10.0', 'web@1.9.0'])
    expect(await versions({ sort: 'version' })).toEqual(['web@1.10.0', 'web@1.9.1', 'web@1.9.0', '3e1c8b0'])
  })

  it('has builds that are commits by date, after those that are numbers, by version', async () => {
    const builds = [
      'web@1.9.0+f00ba11',
      'web@1.9.0+3e1c8b0',
      'web@1.9.0+52',
      'web@1.9.1',
      'web@1.9.0+9c1d5e2',
    ]
    const { versions } = await openWith(...builds)
    expect(await versions({ sort: 'version' })).toEqual([
      'web@1.9.1',
      'web@1.9.0+9c1d5e2',
      'web@1.9.0+3e1c8b0',
      'web@1.9.0+f00ba11',
      'web@1.9.0+52',
    ])
  })

  it('has the builds of an earlier version of Culvert in this order after the upgrade', async () => {
    const { store, versions } = await openWith('web@1.9.0+f00ba11', 'web@1.9.0+52.3e1c', 'web@1.9.0-rc.x+52')
    const earlier = {
      'web@1.9.0+f00ba11': 'a1a9a0a0~ 1f00ba11!',
      'web@1.9.0+52.3e1c': 'a1a9a0a0~ 0b52!13e1c!',
      'web@1.9.0-rc.x+52': 'a1a9a0a0-1rc!1x! 0b52!',
    }
    const stored = () => store.connection.prepare('SELECT version_order FROM releases ORDER BY version').all()
    const orders = stored()
    const set = store.connection.prepare('UPDATE releases SET version_order = ? WHERE version = ?')
    for (const [version, order] of Object.entries(earlier)) set.run(order, version)
    expect(stored()).not.toEqual(orders)
    const migrations = (await readOwnMigrations())[onPostgres ? 'postgres' : 'sqlite']
    const migration = migrations.find(({ name }) => name === '0005_order_of_builds')
    store.connection.exec(migration?.sql ?? '')
    expect(stored()).toEqual(orders)
    expect(await versions({ sort: 'version' })).toEqual([
      'web@1.9.0+52.3e1c',
      'web@1.9.0+f00ba11',
      'web@1.9.0-rc.x+52',
    ])
  })

  it('shows the chosen projects and environment, and versions with a text', async () => {
    const { versions } = await openWith(
      { release: 'Web@1', environment: 'staging' },
      { release: 'web@2' },
      { release: 'api@1', projectId: 2 },
    )
    expect(await versions({ projectIds: [2] })).toEqual(['api@1'])
    expect(await versions({ projectIds: [3] })).toEqual([])
    expect(await versions({ environment: 'staging' })).toEqual(['Web@1'])
    expect(await versions({ text: 'WEB' })).toEqual(['web@2', 'Web@1'])
    expect(await versions({ text: '%' })).toEqual([])
  })

  it.each(['date', 'version'] as const)('is read page by page in both directions, by %s', async (sort) => {
    const { store, versions } = await openWith(...Array.from({ length: 7 }, (_, index) => `web@1.${index}`))
    const whole = await versions({ sort })
    const pages = []
    let cursor: string | undefined
    let previous: string | undefined
    do {
      const page = await listReleases(store.db, {
        projectIds,
        sort,
        limit: 3,
        cursor,
      })
      pages.push(page.releases.map(({ version }) => version))
      cursor = page.nextCursor
      previous = page.previousCursor
    } while (cursor !== undefined)
    expect(pages.map((page) => page.length)).toEqual([3, 3, 1])
    expect(pages.flat()).toEqual(whole)
    const back = await listReleases(store.db, { projectIds, sort, limit: 3, cursor: previous ?? '' })
    expect(back.releases.map(({ version }) => version)).toEqual(pages[1])
  })

  it('starts with the first page for the cursor of another order', async () => {
    const { store } = await openWith('web@1', 'web@2')
    const list = (cursor: string) => listReleases(store.db, { projectIds, sort: 'date', limit: 1, cursor })
    const position = { versionOrder: '', datedAt: 0, projectId: 1, version: '' }
    const [own, other] = (['date', 'version'] as const).map((sort) =>
      releaseCursors(sort).format({ side: 'after', position }),
    )
    expect((await list(own ?? '')).releases).toEqual([])
    expect((await list(other ?? '')).releases).toHaveLength(1)
  })

  it('counts the new and regressed issues and the events of each release', async () => {
    const { store, committer } = await openWith('web@1', 'web@1', 'web@2')
    store.connection.exec(`UPDATE issues SET status = 'resolved', status_changed_at = ${testNow}`)
    const again = {
      eventId: testId('again'),
      groupHash: testId('0'),
      occurredAt: testNow + 1e6,
      release: 'web@2',
    }
    await committer.commit(entryOf(makeEventRecord(again)))
    const { releases } = await listReleases(store.db, { projectIds, sort: 'version', limit: 50 })
    expect(releases).toMatchObject([
      {
        version: 'web@2',
        newIssueCount: 1,
        regressedIssueCount: 1,
        eventCount: 2,
        environments: ['production'],
      },
      { version: 'web@1', newIssueCount: 2, regressedIssueCount: 0, eventCount: 2 },
    ])
    const issues = await listIssuesOfRelease(store.db, { projectId: 1, version: 'web@2' })
    expect(issues.newIssues).toHaveLength(1)
    expect(issues.regressedIssues).toMatchObject([{ isRegressed: true, firstRelease: 'web@1' }])
  })

  it.skipIf(onPostgres)('is read by the index of its order', async () => {
    const { store } = await openWith('web@1')
    const plan = (order: string) =>
      store.connection
        .prepare(
          `EXPLAIN QUERY PLAN SELECT r.version FROM releases r JOIN projects p ON p.id = r.project_id
           WHERE +r.project_id IN (1, 2) ORDER BY ${order} coalesce(r.released_at, r.created_at) DESC,
           r.project_id DESC, r.version DESC LIMIT 51`,
        )
        .all()
        .map((row) => String(row['detail']))
        .join('\n')
    expect(plan('')).toMatch(/INDEX releases_date/)
    expect(plan('r.version_order DESC,')).toMatch(/INDEX releases_order/)
    expect(plan('') + plan('r.version_order DESC,')).not.toContain('TEMP B-TREE')
  })
})

describe('one release', () => {
  it('is found in every project that contains it', async () => {
    const { store } = await openWith('web@1', { release: 'web@1', projectId: 2 })
    const found = await findReleases(store.db, { version: 'web@1', projectIds })
    expect(found.map((row) => row.project_name)).toEqual(['Api', 'Web'])
    expect(await findReleases(store.db, { version: 'web@1', projectIds: [3] })).toEqual([])
  })

  it.each([
    ['web@1.10.0', 'web@1.9.0'],
    ['web@1.9.0', undefined],
    ['3e1c8b0', 'web@1.9.0'],
  ])('has a previous release: %s', async (version, expected) => {
    const { store } = await openWith('web@1.10.0', 'app@1.9.9', 'web@1.9.0', '3e1c8b0')
    const [row] = await findReleases(store.db, { version, projectIds })
    expect(row && (await findPreviousRelease(store.db, row))?.version).toBe(expected)
  })

  it.each([
    ['web@1.0.0+0e1c8b0', 'web@1.0.0+f00ba11'],
    ['web@1.0.0+f00ba11', 'web@0.9.0'],
    ['web@1.1.0', 'web@1.0.0+0e1c8b0'],
  ])('has a previous release among builds that are commits: %s', async (version, expected) => {
    const { store } = await openWith('web@0.9.0', 'web@1.0.0+f00ba11', 'web@1.0.0+0e1c8b0', 'web@1.1.0')
    const [row] = await findReleases(store.db, { version, projectIds })
    expect(row && (await findPreviousRelease(store.db, row))?.version).toBe(expected)
  })

  it('without a version has no later build as its previous release', async () => {
    const { store } = await openWith('web@1.4.0+f00ba11', 'deadbeef', 'web@1.4.0+0e1c8b0')
    const [row] = await findReleases(store.db, { version: 'deadbeef', projectIds })
    expect(row && (await findPreviousRelease(store.db, row))?.version).toBe('web@1.4.0+f00ba11')
  })

  it.each([
    ['web@1.3.0', 'web@1.1.0'],
    ['web@1.1.0', undefined],
    ['3e1c8b0', 'web@1.1.0'],
  ])('has a previous release with commits, even before one without: %s', async (version, expected) => {
    const { store } = await openWith('app@1.1.9', 'web@1.1.0', 'web@1.2.0', 'web@1.3.0', '3e1c8b0')
    await recordRelease(store, { version: 'web@1.1.0', projectIds: [1] }, { commits: [{ id: 'c1' }] })
    const [row] = await findReleases(store.db, { version, projectIds })
    expect(row && (await findPreviousWithCommits(store.db, row))?.version).toBe(expected)
  })

  it('has the last of its commits, and their count', async () => {
    const { store } = await openWith('web@1', { release: 'web@1', projectId: 2 })
    const insert = store.connection.prepare(
      'INSERT INTO release_commits (project_id, version, number, id) VALUES (?, ?, ?, ?)',
    )
    insert.run(1, 'web@1', 1, 'c2')
    insert.run(1, 'web@1', 2, 'c1')
    insert.run(2, 'web@2', 1, 'other')
    const heads = await readCommitHeads(store.db, [{ project_id: 1, version: 'web@1' }])
    expect([...heads]).toMatchObject([['web@1', { count: 2, last: { id: 'c2' } }]])
  })
})
