import { describe, expect, it } from 'vitest'
import { changeIssueSearch, hasIssueFilter } from './search.ts'

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
    expect(hasIssueFilter({ sort: 'events' })).toBe(false)
    expect(hasIssueFilter({ status: 'unresolved' })).toBe(false)
    expect(hasIssueFilter({ status: 'resolved' })).toBe(true)
    expect(hasIssueFilter({ q: 'timeout' })).toBe(true)
    expect(hasIssueFilter({ environment: 'staging' })).toBe(true)
  })
})
