import { QueryClient } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter } from '@tanstack/react-router'
import { describe, expect, it } from 'vitest'
import { markOwnChange, showsOwnChange } from '#navigation/own-changes.ts'
import { type ChangedData, findChangedQueries, forgetPages, refreshData } from './changed-data.ts'

const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() })

function openClient(data: Record<string, unknown>): QueryClient {
  const queryClient = new QueryClient()
  for (const [key, value] of Object.entries(data)) queryClient.setQueryData(key.split('/'), value)
  return queryClient
}

const keysOf = (queryClient: QueryClient, ...changes: ChangedData[]) =>
  findChangedQueries(queryClient, changes).map(({ queryKey }) => queryKey.join('/'))

describe('the changed data', () => {
  it('matches every query under its key prefix and no other', () => {
    const queryClient = openClient({
      'issues/list/a': [],
      'issues/list/b': [],
      'issues/one/1': {},
      'issues/one/11': {},
      projects: [],
    })
    expect(
      keysOf(queryClient, { queryKey: ['issues', 'list'] }, { queryKey: ['issues', 'one', '1'] }),
    ).toEqual(['issues/list/a', 'issues/list/b', 'issues/one/1'])
  })

  it('covers only the pages that show that issue', () => {
    const queryClient = openClient({
      'events/a': { issue: { id: '1' } },
      'events/b': { issue: { id: '2' } },
      'events/c': {},
    })
    expect(keysOf(queryClient, { queryKey: ['events'], issueId: '1' })).toEqual(['events/a'])
  })
})

describe('refreshing', () => {
  it('makes pages wait for their data that showed a change of the user before', async () => {
    const queryClient = openClient({ 'issues/list': ['1'], outcomes: ['2'] })
    const data = ['issues/list', 'outcomes'].map((key) => queryClient.getQueryData(key.split('/')))
    for (const each of data) markOwnChange(each)
    await refreshData({ queryClient, router }, [{ queryKey: ['issues'] }])
    expect(data.map(showsOwnChange)).toEqual([false, true])
    forgetPages({ queryClient, router })
    expect(data.map(showsOwnChange)).toEqual([false, false])
  })

  it('marks inactive queries without reloading them', async () => {
    const queryClient = openClient({ 'issues/list': [], outcomes: [] })
    await refreshData({ queryClient, router }, [{ queryKey: ['issues'] }])
    const isStale = (key: string[]) => queryClient.getQueryState(key)?.isInvalidated
    expect([isStale(['issues', 'list']), isStale(['outcomes'])]).toEqual([true, false])
  })

  it('reloads a query whose request started before the change and finishes after it', async () => {
    const queryClient = openClient({})
    const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
    let asked = 0
    const queryKey = ['issues', 'list']
    const loading = queryClient.query({ queryKey, queryFn: () => answers[asked++]?.promise ?? 'more' })
    const refreshing = refreshData({ queryClient, router }, [{ queryKey }])
    answers[0]?.resolve('before')
    expect(await loading).toBe('before')
    answers[1]?.resolve('after')
    await refreshing
    expect([queryClient.getQueryData(queryKey), asked]).toEqual(['after', 2])
  })
})
