import { describe, expect, it } from 'vitest'
import type { Breadcrumb } from '#protocol/event.ts'
import { breadcrumbKind, countKinds, filterBreadcrumbs, listLevels } from './breadcrumb-kinds.ts'

const click: Breadcrumb = { level: 'info', category: 'ui.click' }
const request: Breadcrumb = { level: 'warning', type: 'http', category: 'fetch' }
const crash: Breadcrumb = { level: 'error', type: 'default', category: 'console' }
const all = [click, request, crash, click]

describe('the kind of a breadcrumb', () => {
  it('is its type, or else the prefix of its category', () => {
    expect(all.map(breadcrumbKind)).toEqual(['ui', 'http', 'console', 'ui'])
    expect(breadcrumbKind({ level: 'info' })).toBe('default')
    expect(breadcrumbKind({ level: 'info', category: '.x' })).toBe('default')
  })

  it('is counted, the most frequent first', () => {
    expect(countKinds(all)[0]).toEqual(['ui', 2])
  })
})

describe('filtering breadcrumbs', () => {
  it('keeps those of the kind and of the level or worse, in order', () => {
    expect(filterBreadcrumbs(all, {})).toEqual(all)
    expect(filterBreadcrumbs(all, { crumbs: 'ui' })).toEqual([click, click])
    expect(filterBreadcrumbs(all, { crumbLevel: 'warning' })).toEqual([request, crash])
    expect(filterBreadcrumbs(all, { crumbs: 'http', crumbLevel: 'error' })).toEqual([])
  })

  it('offers the levels that occur, worst first', () => {
    expect(listLevels(all)).toEqual(['error', 'warning', 'info'])
  })
})
