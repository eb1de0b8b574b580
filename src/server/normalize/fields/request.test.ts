import { describe, expect, it } from 'vitest'
import type { Json } from '#protocol/json.ts'
import { FieldReader } from '#server/normalize/field-reader.ts'
import { findHeader, readRequest } from './request.ts'

const requestOf = (request: Json) =>
  readRequest(FieldReader.of({ request }, { errors: [], isForIndex: false }), 'request')

describe('readRequest', () => {
  it('splits the URL into its parts', () => {
    expect(requestOf({ url: 'https://a.example/cart?b=1&c=%C3%A9+d#top', method: 'post' })).toEqual({
      method: 'POST',
      url: 'https://a.example/cart',
      query: [
        ['b', '1'],
        ['c', 'é d'],
      ],
      fragment: 'top',
    })
  })

  it.each([
    ['?a=1&b=2'],
    ['a=1&b=2'],
    [{ a: '1', b: 2 }],
    [
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
  ])('reads the query %j', (sent) => {
    expect(requestOf({ url: '/x?z=9', query_string: sent })?.query).toEqual([
      ['a', '1'],
      ['b', '2'],
    ])
  })

  it.each([
    [{ 'User-Agent': 'x', Accept: ['a', 'b'], 'X-Null': null }],
    [
      [
        ['User-Agent', 'x'],
        ['Accept', 'a,b'],
        ['X-Null', null],
      ],
    ],
  ])('reads the headers %j', (headers) => {
    const request = requestOf({ headers })
    expect(request?.headers).toEqual([
      ['User-Agent', 'x'],
      ['Accept', 'a,b'],
    ])
    expect(findHeader(request, 'user-agent')).toBe('x')
    expect(findHeader(request, 'cookie')).toBeUndefined()
  })

  it.each([
    [{ cookies: 'a=1; b=2=3' }],
    [{ cookies: { a: 1, b: '2=3' } }],
    [
      {
        cookies: [
          ['a', '1'],
          ['b', '2=3'],
        ],
      },
    ],
    [{ headers: { cookie: 'a=1; b=2=3' } }],
  ])('reads the cookies of %j, and includes them once', (sent) => {
    expect(requestOf(sent)).toEqual({
      cookies: [
        ['a', '1'],
        ['b', '2=3'],
      ],
    })
  })

  it.each<Json>([null, {}, [], 'r', 7, { url: '', headers: 7, cookies: 7, query_string: 7, method: 'a b' }])(
    'returns nothing for %j',
    (sent) => {
      expect(requestOf(sent)).toBeUndefined()
    },
  )

  it('keeps a body of any shape, and the environment', () => {
    expect(requestOf({ data: 'a=b', env: { A: '1' } })).toEqual({ data: 'a=b', env: { A: '1' } })
    expect(requestOf({ data: [1] })).toEqual({ data: [1] })
  })

  it('accepts invalid percent signs', () => {
    expect(requestOf({ url: '/x?a=%E0%A4%A&b=%' })?.query).toHaveLength(2)
  })
})
