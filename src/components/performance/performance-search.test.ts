import { describe, expect, it } from 'vitest'
import { changePerformanceSearch } from './performance-search.ts'

describe('the search of another list', () => {
  it('leaves out a period and a sort order that this list does not have', () => {
    const search = { period: '1h', sort: 'release', q: 'cart' } as const
    expect(changePerformanceSearch(search, { view: 'queries' })).toEqual({ view: 'queries', q: 'cart' })
    expect(changePerformanceSearch(search, { page: 2 })).toEqual({ ...search, page: 2 })
    expect(changePerformanceSearch({ sort: 'p95' }, { view: 'vitals' })).toEqual({ view: 'vitals' })
  })
})
