import { describe, expect, it } from 'vitest'
import { changeMonitorSearch } from './monitor-search.ts'

describe('the search of the monitors', () => {
  it('keeps the other filters, and contains neither defaults nor the page', () => {
    const search = { project: 'shop', kind: 'cron', period: '7d', page: 2 } as const
    expect(changeMonitorSearch(search, { period: '24h' })).toEqual({ project: 'shop', kind: 'cron' })
    expect(changeMonitorSearch(search, { project: '', kind: undefined })).toEqual({ period: '7d' })
  })
})
