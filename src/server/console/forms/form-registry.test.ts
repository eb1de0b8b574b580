import { describe, expect, it } from 'vitest'
import { findPageForms } from './form-registry.ts'

describe('the forms of a page', () => {
  it.each([
    ['/login', {}],
    ['/settings/', {}],
    ['/projects/new', {}],
    ['/projects/web', { slug: 'web' }],
    ['/projects/web/limits', { slug: 'web' }],
    ['/projects/new/limits', { slug: 'new' }],
    ['/projects/a%2Fb/limits', { slug: 'a/b' }],
    ['/projects/%E0/limits', { slug: '%E0' }],
    ['/invite/token', { token: 'token' }],
    ['/unsubscribe/name.tag', { token: 'name.tag' }],
  ])('are found by its path: %s', (pathname, params) => {
    expect(findPageForms(pathname)?.params).toEqual(params)
  })

  it.each(['/', '/issues', '/projects', '/projects/web/nothing', '/settings/system', '/login/x', ''])(
    'are not found elsewhere: %j',
    (pathname) => {
      expect(findPageForms(pathname)).toBeUndefined()
    },
  )

  it('of a project are found on each of its pages', () => {
    const general = findPageForms('/projects/web')?.forms
    expect(general).toBeDefined()
    expect(findPageForms('/projects/web/general')).toBeUndefined()
    expect(findPageForms('/projects/web/danger')?.forms).not.toBe(general)
  })
})
