import { describe, expect, it } from 'vitest'
import type { Viewer } from '#server/auth/viewer.ts'
import { listIssueView } from '#server/console/issues/stream.ts'
import type { IssueSearch } from '#server/console/issues/views.ts'
import type { EventRecord } from '#server/store/ingest/records.ts'
import { makeEventRecord, openTestStore, testId, testNow, testViewer } from '#test/test-store.ts'

/** Project 1 belongs to a team, project 2 is Culvert's own. */
async function openStream(...events: Partial<EventRecord>[]) {
  const store = await openTestStore()
  store.connection.exec('UPDATE projects SET is_built_in = 1 WHERE id = 2')
  const records = events.map(({ title = '', ...fields }) =>
    makeEventRecord({ title, groupHash: testId(title), eventId: testId(title), ...fields }),
  )
  await store.commit(...records)
  const list = (search: IssueSearch = {}, viewer: Viewer = testViewer) => {
    return listIssueView({ store, clock: () => testNow }, viewer, { status: 'all', ...search })
  }
  const titles = async (search: IssueSearch = {}) =>
    (await list(search)).issues.map(({ title }) => title).toSorted()
  return { list, titles }
}

const shopError = { title: 'Shop' }
const ownErrors = ['Own 1', 'Own 2'].map((title) => ({ title, projectId: 2, traceId: testId('trace') }))

const reachOnly = (projectIds: number[], role: Viewer['memberships'][number]['role']): Viewer => ({
  ...testViewer,
  memberships: testViewer.memberships.map((each) => Object.assign({}, each, { projectIds, role })),
})

describe("Culvert's own project", () => {
  it('is excluded from all projects: from rows, counts and announcements', async () => {
    const { list } = await openStream(shopError, ...ownErrors)
    const view = await list()
    expect(view.issues.map(({ title }) => title)).toEqual(['Shop'])
    expect(view.counts.unresolved).toEqual({ count: 1, isMore: false })
    expect(Object.keys(view.marks)).toEqual(['1'])
    expect(view.projects.map(({ slug }) => slug)).toEqual(['api', 'web'])
  })

  it('is shown when the search contains its id, one of its issues, or its event', async () => {
    const { list, titles } = await openStream(shopError, ...ownErrors)
    const view = await list({ project: 'api' })
    expect(view.counts.unresolved).toEqual({ count: 2, isMore: false })
    expect(Object.keys(view.marks)).toEqual(['1', '2'])
    expect(view).not.toHaveProperty('own')
    expect(await titles({ q: 'project:api' })).toEqual(['Own 1', 'Own 2'])
    expect(await titles({ q: 'project:[web, api]' })).toEqual(['Own 1', 'Own 2', 'Shop'])
    expect(await titles({ q: `trace:${testId('trace')}` })).toEqual(['Own 1', 'Own 2'])
    expect(await titles({ q: 'issue:API-1' })).toHaveLength(1)
    expect(await titles({ q: '!project:nowhere' })).toEqual(['Shop'])
    expect(await titles({ q: 'own' })).toEqual([])
    expect(await titles({ project: 'web' })).toEqual(['Shop'])
  })

  it('is listed with its unresolved issues for administrators', async () => {
    const { list } = await openStream(shopError, ...ownErrors)
    expect((await list()).own).toEqual({
      slug: 'api',
      name: 'Api',
      unresolved: { count: 2, isMore: false },
    })
    expect(await list({ project: 'web' })).not.toHaveProperty('own')
    expect(await list({}, reachOnly([1, 2], 'member'))).not.toHaveProperty('own')
    expect(await list({}, reachOnly([1], 'owner'))).not.toHaveProperty('own')
    const quiet = await openStream(shopError)
    expect(await quiet.list()).not.toHaveProperty('own')
  })

  it('is shown to users without another project', async () => {
    const { list } = await openStream(shopError, ...ownErrors)
    expect((await list({}, reachOnly([2], 'member'))).issues).toHaveLength(2)
  })

  it('does not count as an application that has sent an event, and is listed until one has', async () => {
    const { list } = await openStream(...ownErrors)
    const view = await list()
    expect(view).toMatchObject({ isEmptyInstallation: true, waiting: {}, own: { unresolved: { count: 2 } } })
    expect((await list({ project: 'api' })).isEmptyInstallation).toBe(false)
    const { list: listShop } = await openStream(shopError)
    expect((await listShop()).isEmptyInstallation).toBe(false)
  })
})
