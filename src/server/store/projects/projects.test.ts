import { describe, expect, it } from 'vitest'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { findPublicOrigin, recordPublicOrigin } from '#server/store/installation/settings.ts'
import { makeEventRecord, openTestStore, testId, testNow, entryOf, testProjectIds } from '#test/test-store.ts'
import { dayMs, hourMs } from '#time/time-steps.ts'
import {
  createProject,
  listFilterChoices,
  listProjectKeys,
  listProjectNames,
  listProjectRows,
} from './projects.ts'
import { defaultProjectSettings } from './settings.ts'

describe('creating a project', () => {
  it('assigns an id above the others, a slug and an active key', async () => {
    const store = await openTestStore()
    const made = await createProject(store, { name: 'Über die Brücke!', platform: 'node' })
    expect(made).toMatchObject({ id: 3, slug: 'uber-die-brucke', name: 'Über die Brücke!', platform: 'node' })
    expect(made.publicKey).toMatch(/^[0-9a-f]{32}$/)
    expect(await listProjectKeys(store.db)).toContainEqual({
      publicKey: made.publicKey,
      projectId: 3,
      isActive: true,
      keySettings: { rateLimits: {} },
      settings: defaultProjectSettings,
      upstreams: [],
    })
  })

  it('gives every project a different slug', async () => {
    const store = await openTestStore()
    const slugs = []
    for (const name of ['Web', 'web', '日本', '!!!']) slugs.push((await createProject(store, { name })).slug)
    expect(slugs).toEqual(['web-2', 'web-3', 'project', 'project-2'])
  })

  it('changes nothing when the id or the key exists', async () => {
    const store = await openTestStore()
    const { publicKey } = await createProject(store, { name: 'One' })
    await expect(createProject(store, { name: 'Two', publicKey })).rejects.toThrow(/unique/i)
    await expect(createProject(store, { name: 'Two', id: 1 })).rejects.toThrow(/unique/i)
    expect((await listProjectNames(store.db)).map((project) => project.name)).toEqual(['Web', 'Api', 'One'])
  })

  it('works for many projects at once', async () => {
    const store = await openTestStore()
    const made = await Promise.all(Array.from({ length: 20 }, () => createProject(store, { name: 'Same' })))
    expect(new Set(made.map((project) => project.id)).size).toBe(20)
  })
})

/** The first event of a new issue. */
const eventOf = (name: string, occurredAt: number) =>
  makeEventRecord({ eventId: testId(name), groupHash: testId(name), occurredAt, receivedAt: occurredAt })

describe('the project list', () => {
  it('has the counts of each project in one statement', async () => {
    const statements: string[] = []
    const store = await openTestStore({ onStatement: (sql) => statements.push(sql) })
    const [webKey] = await listProjectKeys(store.db).then((keys) => keys.filter((key) => key.projectId === 1))
    statements.length = 0
    const committer = createCommitter(store)
    await committer.commit(
      entryOf(
        eventOf('a', testNow),
        eventOf('b', testNow - 23 * hourMs),
        eventOf('c', testNow - dayMs),
        eventOf('a', testNow),
      ),
    )
    await committer.commit({
      events: [],
      outcomes: [
        { projectId: 1, category: 'session', outcome: 'accepted', reason: '', quantity: 7, at: testNow },
      ],
      deadLetters: [],
    })
    store.connection.exec(`UPDATE issues SET status = 'resolved' WHERE number = 2`)
    store.connection.exec('UPDATE project_keys SET is_active = 0 WHERE project_id = 2')
    const rows = await listProjectRows(store.db, { projectIds: testProjectIds, now: testNow })
    expect(rows).toEqual([
      {
        id: 2,
        slug: 'api',
        name: 'Api',
        createdAt: testNow,
        eventCount24h: 0,
        unresolvedIssueCount: 0,
        isBuiltIn: false,
      },
      {
        id: 1,
        slug: 'web',
        name: 'Web',
        publicKey: webKey?.publicKey,
        createdAt: testNow,
        eventCount24h: 2,
        unresolvedIssueCount: 2,
        firstEventAt: testNow - dayMs,
        lastEventAt: testNow,
        isBuiltIn: false,
      },
    ])
    expect(statements).toHaveLength(1)
  })
})

describe('the choices of the filters', () => {
  it('are every project and environment, in one statement', async () => {
    const statements: string[] = []
    const store = await openTestStore({ onStatement: (sql) => statements.push(sql) })
    expect(await listFilterChoices(store.db, testProjectIds)).toMatchObject({
      environments: [],
      isEmptyInstallation: true,
    })
    const environments = ['production', 'staging', 'production']
    const events = environments.map((environment, index) =>
      makeEventRecord({ eventId: testId(`${index}`), environment, projectId: index === 2 ? 2 : 1 }),
    )
    await store.commit(...events)
    statements.length = 0
    expect(await listFilterChoices(store.db, testProjectIds)).toEqual({
      projects: [
        { id: 2, slug: 'api', name: 'Api' },
        { id: 1, slug: 'web', name: 'Web' },
      ],
      environments: ['production', 'staging'],
      isEmptyInstallation: false,
    })
    expect(statements).toHaveLength(1)
  })

  it('are limited for environments, and every event is still stored', async () => {
    const store = await openTestStore()
    const events = Array.from({ length: 210 }, (_, index) =>
      makeEventRecord({ eventId: testId(`${index}`), environment: `env-${index}` }),
    )
    await store.commit(...events)
    expect((await listFilterChoices(store.db, testProjectIds)).environments).toHaveLength(200)
    expect(store.connection.prepare('SELECT event_count AS n FROM issues').get()).toEqual({ n: 210 })
  })
})

describe("the server's address", () => {
  it('is the value that was recorded last', async () => {
    const store = await openTestStore()
    expect(await findPublicOrigin(store.db)).toBeUndefined()
    await recordPublicOrigin(store, 'http://localhost:3000')
    await recordPublicOrigin(store, 'https://culvert.example')
    expect(await findPublicOrigin(store.db)).toBe('https://culvert.example')
  })
})
