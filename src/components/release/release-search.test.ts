import { describe, expect, it } from 'vitest'
import { changeReleaseSearch } from './release-search.ts'

describe('the URL of the releases', () => {
  it('contains only values that differ from the defaults', () => {
    expect(changeReleaseSearch({}, { project: '', q: '', sort: 'date' })).toEqual({})
    expect(changeReleaseSearch({ project: 'web' }, { sort: 'version' })).toEqual({
      project: 'web',
      sort: 'version',
    })
  })

  it('drops the cursor when the list changes', () => {
    expect(changeReleaseSearch({ cursor: 'x', q: '1.' }, { environment: 'production' })).toEqual({
      q: '1.',
      environment: 'production',
    })
    expect(changeReleaseSearch({ q: '1.' }, { cursor: 'y' })).toEqual({ q: '1.', cursor: 'y' })
  })
})
