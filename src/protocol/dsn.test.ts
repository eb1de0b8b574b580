import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatDsn, parseDsn } from './dsn.ts'

describe('parseDsn', () => {
  it.each([
    ['https://abc@errors.example.com/42', { host: 'errors.example.com', path: '', projectId: '42' }],
    ['http://abc@127.0.0.1:8787/1', { protocol: 'http', host: '127.0.0.1:8787', projectId: '1' }],
    [
      'https://abc:secret@Example.com/sentry/eu/7/',
      { host: 'example.com', path: '/sentry/eu', projectId: '7' },
    ],
    ['https://abc:@example.com/7', { publicKey: 'abc', projectId: '7' }],
    ['https://abc@[::1]:9000/7', { host: '[::1]:9000' }],
  ])('reads %s', (text, expected) => {
    expect(parseDsn(text)).toMatchObject(expected)
  })

  it.each([
    '',
    'https://example.com/42',
    'https://abc@example.com/',
    'https://abc@example.com/project',
    'https://abc@example.com/42?x=1',
    'https://abc@evil.com/x@good.com/42',
    'https://abc@evil.com\\@good.com/42',
    'ftp://abc@example.com/42',
    'javascript:alert(1)//abc@example.com/42',
    `https://abc@example.com/${'1'.repeat(2000)}`,
    `https://abc@example.com${'/a'.repeat(400)}!`,
  ])('rejects %s', (text) => {
    expect(parseDsn(text)).toBeUndefined()
  })

  it('parses what formatDsn returns', () => {
    const dsn = fc.record({
      protocol: fc.constantFrom('http' as const, 'https' as const),
      publicKey: fc.stringMatching(/^[a-f\d]{32}$/),
      host: fc.domain(),
      path: fc.constantFrom('', '/sentry', '/a/b'),
      projectId: fc.nat().map(String),
    })
    fc.assert(
      fc.property(dsn, (each) => {
        expect(parseDsn(formatDsn(each))).toEqual(each)
      }),
    )
  })

  it('never throws for any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseDsn(text)))
  })
})
