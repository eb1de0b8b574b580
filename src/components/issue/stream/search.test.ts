import { describe, expect, it } from 'vitest'
import { changeIssueSearch, hasIssueFilter } from './search.ts'

describe('changeIssueSearch', () => {
  it('keeps the other filters and drops the cursor of the old list', () => {
    expect(
      changeIssueSearch({ project: 'api', bars: '14d', sort: 'events', cursor: 'c' }, { status: 'resolved' }),
    ).toEqual({
      status: 'resolved',
      project: 'api',
      bars: '14d',
      sort: 'events',
    })
  })

  it('omits empty values and defaults from the URL, except the status', () => {
    const search = { status: 'all', project: 'api', environment: 'staging', sort: 'users' } as const
    const change = { status: 'unresolved', project: '', environment: '', sort: 'last_seen' } as const
    expect(changeIssueSearch(search, change)).toEqual({ status: 'unresolved' })
  })

  it('keeps a new cursor', () => {
    expect(changeIssueSearch({ project: 'api' }, { cursor: 'c' })).toEqual({ project: 'api', cursor: 'c' })
  })
})

describe('isFiltered', () => {
  it('returns whether a search hides issues', () => {
    expect(hasIssueFilter({ sort: 'events' })).toBe(false)
    expect(hasIssueFilter({ status: 'unresolved' })).toBe(false)
    expect(hasIssueFilter({ status: 'resolved' })).toBe(true)
    expect(hasIssueFilter({ q: 'timeout' })).toBe(true)
    expect(hasIssueFilter({ environment: 'staging' })).toBe(true)
  })
})
