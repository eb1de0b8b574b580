import { describe, expect, it } from 'vitest'
import { changeIssueSearch, isFiltered } from './search.ts'

describe('changeIssueSearch', () => {
  it('keeps the other filters and forgets the place in the old list', () => {
    expect(
      changeIssueSearch({ project: 'api', sort: 'events', cursor: 'c' }, { status: 'resolved' }),
    ).toEqual({
      status: 'resolved',
      project: 'api',
      sort: 'events',
    })
  })

  it('leaves empty values and defaults out of the URL, but for the status', () => {
    const search = { status: 'all', project: 'api', environment: 'staging', sort: 'users' } as const
    const change = { status: 'unresolved', project: '', environment: '', sort: 'last_seen' } as const
    expect(changeIssueSearch(search, change)).toEqual({ status: 'unresolved' })
  })

  it('keeps a new cursor', () => {
    expect(changeIssueSearch({ project: 'api' }, { cursor: 'c' })).toEqual({ project: 'api', cursor: 'c' })
  })
})

describe('isFiltered', () => {
  it('knows what hides issues', () => {
    expect(isFiltered({ sort: 'events' })).toBe(false)
    expect(isFiltered({ status: 'unresolved' })).toBe(false)
    expect(isFiltered({ status: 'resolved' })).toBe(true)
    expect(isFiltered({ q: 'timeout' })).toBe(true)
    expect(isFiltered({ environment: 'staging' })).toBe(true)
  })
})
