import { describe, expect, it } from 'vitest'
import { onPostgres } from '#test/engine.ts'
import { makeEventRecord, openTestStore, testId, testViewer } from '#test/test-store.ts'
import { listTagValues } from './tag-values.ts'

const [membership] = testViewer.memberships
const viewerOf = (...projectIds: number[]) => ({
  ...testViewer,
  memberships: membership === undefined ? [] : [{ ...membership, projectIds }],
})

const event = (name: string, fields: object) =>
  makeEventRecord({ eventId: testId(name), groupHash: testId(name), ...fields })

async function openTags() {
  const statements: string[] = []
  const store = await openTestStore({ onStatement: (sql) => statements.push(sql) })
  await store.commit(
    event('a', {
      tags: [
        ['region', 'eu'],
        ['release', 'web@1'],
        ['user', 'id:7'],
        ['user.email', 'ada@example.com'],
      ],
      traits: 'stack.filename\tcart.ts',
    }),
    event('b', {
      tags: [
        ['region', 'us'],
        ['user', 'email:bob@example.com'],
      ],
    }),
    event('c', {
      projectId: 2,
      tags: [
        ['region', 'eu-2'],
        ['tier', 'gold'],
      ],
    }),
  )
  const suggest = (key: string, begin = '', ...projectIds: number[]) =>
    listTagValues({ store }, viewerOf(...(projectIds.length > 0 ? projectIds : [1, 2])), { key, begin })
  return { store, suggest, statements }
}

describe('suggested values', () => {
  it.each([
    ['region', '', ['eu', 'eu-2', 'us']],
    ['region', 'e', ['eu', 'eu-2']],
    ['region', 'x', []],
    ['tags[region]', 'e', ['eu', 'eu-2']],
    ['has', 're', ['region', 'release']],
    ['release', '', ['latest', 'web@1']],
    ['firstRelease', 'web', ['web@1']],
    ['user.email', '', ['ada@example.com', 'bob@example.com']],
    ['user.id', '', ['7']],
    ['stack.filename', 'ca', ['cart.ts']],
    ['project', 'w', ['web']],
    ['http.url', '', []],
  ])('of %s:%s are %j', async (key, begin, values) => {
    const { suggest } = await openTags()
    expect(await suggest(key, begin)).toEqual(values)
  })

  it('are those of accessible projects, even when another project has many values', async () => {
    const { store, suggest } = await openTags()
    store.connection.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
      INSERT INTO issue_tags SELECT 2, i, 'region', 'a' || i, 1, 0 FROM n
      UNION ALL SELECT 2, i, 'aa' || i, 'x', 1, 0 FROM n`)
    expect(await suggest('region', '', 1)).toEqual(['eu', 'us'])
    expect(await suggest('has', '', 1)).toContain('region')
    expect(await suggest('region', '', 2)).toHaveLength(20)
    expect(await listTagValues({ store }, viewerOf(), { key: 'region', begin: '' })).toEqual([])
  })

  it.skipIf(onPostgres)('are found by index', async () => {
    const { store, suggest, statements } = await openTags()
    for (const key of ['region', 'has', 'stack.filename', 'user.id']) await suggest(key, 'a')
    const steps = statements.flatMap((sql) =>
      store.connection
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => String(detail)),
    )
    const ofTags = steps.filter((step) => step.includes(' t '))
    expect(ofTags.length).toBeGreaterThan(5)
    expect(
      ofTags.filter((step) => !/^SEARCH t USING COVERING INDEX issue_(tags|traits)_value /.test(step)),
    ).toEqual([])
  })
})
