import { describe, expect, it } from 'vitest'
import { findContentEncoding } from './content-encoding.ts'

describe('the encoding of an answer', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['deflate, zstd', undefined],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZip;q=0.8, BR;q=0.1', 'br'],
    ['gzip, br;q=0', 'gzip'],
    ['gzip ; q = 0.000 , br ; q=0.0', undefined],
    ['*', 'br'],
    ['*, br;q=0', 'gzip'],
    ['*;q=0', undefined],
    ['gzipped, brotli, xbr', undefined],
    ['__proto__, constructor;q=0', undefined],
  ])('for Accept-Encoding: %j is %j', (header, encoding) => {
    expect(findContentEncoding(header)).toBe(encoding)
  })
})
