import { describe, expect, it } from 'vitest'
import { findDirectTarget } from './direct-target.ts'

const id = 'ab12'.repeat(8)

describe('a text that identifies one target', () => {
  it.each([
    ['ab12cd34ef56', { kind: 'digest', digest: 'ab12cd34ef56' }],
    [` ${id.toUpperCase()} `, { kind: 'digest', digest: id }],
    ['ab12ab12-ab12-ab12-ab12-ab12ab12ab12', { kind: 'digest', digest: id }],
    ['WEB-1A', { kind: 'shortId', slug: 'web', number: 46 }],
    ['my-shop-2', { kind: 'shortId', slug: 'my-shop', number: 2 }],
    [`https://culvert.example/events/${id}?x=1`, { kind: 'event', eventId: id }],
    ['http://127.0.0.1:3000/issues/1234567890123456/events', { kind: 'issue', issueId: '1234567890123456' }],
    ['https://culvert.example/issues/WEB-1A', { kind: 'shortId', slug: 'web', number: 46 }],
    [`https://culvert.example/traces/${id}`, { kind: 'digest', digest: id }],
    ['https://culvert.example/digest/ab12cd34ef56', { kind: 'digest', digest: 'ab12cd34ef56' }],
  ])('is %s', (text, target) => {
    expect(findDirectTarget(text)).toEqual(target)
  })

  it.each([
    '',
    'timeout',
    'is:unresolved WEB-1A',
    '"ab12cd34ef56"',
    'https://sentry.example/issues/4711/',
    'https://culvert.example/settings',
    'ab12ab12-ab12ab12ab12ab12ab12ab12ab',
    'a'.repeat(5_000),
  ])('is not %s', (text) => {
    expect(findDirectTarget(text)).toBeUndefined()
  })
})
