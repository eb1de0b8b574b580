import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatTarget, normalizeTarget } from './request-target.ts'

const path = '/api/42/envelope/'

describe('normalizeTarget', () => {
  it.each([
    path,
    '/x/../api/42/envelope/',
    '/x/y/../../api/42/envelope/',
    '/../api/42/envelope/',
    '/./api/42/envelope/',
    '/api/./42/./envelope/',
    '/api/x/../42/envelope/',
    '/api/42/envelope/.',
    '/api/42/envelope/x/..',
    '/%2e/api/42/envelope/',
    '/x/%2e%2e/api/42/envelope/',
    '/x/%2E%2E/api/42/envelope/',
    '/x/.%2e/api/42/envelope/',
    '/x/%2e./api/42/envelope/',
    '//api/42/envelope/',
    '/api//42///envelope//',
    '/x//../../api/42/envelope/',
    '/%61pi/42/envelope/',
    '/api/%34%32/envelope/',
    '/api/42/%65nvelope/',
    '/api/42/envelop%65/',
    '/%61%70%69/42/envelope/',
  ])('reads %s as the endpoint', (target) => {
    expect(normalizeTarget(`${target}?sentry_key=a`)).toEqual({ path, query: 'sentry_key=a' })
  })

  it.each([
    ['/api%2F42%2Fenvelope/', '/api%2F42%2Fenvelope/'],
    ['/api%2f42/envelope/', '/api%2F42/envelope/'],
    ['/api%5c42%5cenvelope/', '/api%5C42%5Cenvelope/'],
    ['/API/42/ENVELOPE/', '/API/42/ENVELOPE/'],
    ['/%2561pi/42/envelope/', '/%2561pi/42/envelope/'],
    ['/api/42/envelope/%00', '/api/42/envelope/%00'],
    ['/api/42/envelope%20/', '/api/42/envelope%20/'],
    ['/api/42;x/envelope/', '/api/42;x/envelope/'],
    ['/x%2f..%2fapi/42/envelope/', '/x%2F..%2Fapi/42/envelope/'],
    ['/ä', '/%C3%A4'],
  ])('keeps %s as another path: %s', (target, other) => {
    expect(normalizeTarget(target)).toEqual({ path: other, query: '' })
  })

  it.each([
    '/%zz/',
    '/x/%%32e%%32e/api/42/envelope/',
    '/api/42/envelope/%',
    '/api\\42\\envelope/',
    '/x/..\\api/42/envelope/',
    '/api/42/envelope/#x',
    '/a?b#c',
    'http://a/',
    '*',
    '',
  ])('rejects %s', (target) => {
    expect(normalizeTarget(target)).toBeUndefined()
  })

  it('leaves any query unchanged', () => {
    expect(normalizeTarget('/a?b=../c//d%2e\\?e')).toEqual({ path: '/a', query: 'b=../c//d%2e\\?e' })
    expect(formatTarget({ path: '/a', query: 'b' })).toBe('/a?b')
    expect(formatTarget({ path: '/a', query: '' })).toBe('/a')
  })

  it('returns one spelling, which a URL parser reads in the same way', () => {
    const part = fc.constantFrom(
      '/',
      '.',
      '..',
      '%2e',
      '%2E',
      '%2f',
      '%5C',
      'a',
      'A',
      '%61',
      '%',
      '2',
      'e',
      '%32',
      '{',
      ';',
      ' ',
      'ä',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const target = normalizeTarget(`/${parts.join('')}`)
        if (target === undefined) return
        expect(normalizeTarget(target.path)).toEqual(target)
        expect(new URL(target.path, 'http://host').pathname).toBe(target.path)
        expect(target.path).not.toMatch(/\/\/|\/\.{1,2}(?:\/|$)/)
      }),
      { numRuns: 2_000 },
    )
  })
})
