import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { makeEventRecord } from '#test/test-store.ts'
import { countedTags, tagHash, tagHashes } from './tag-hash.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

describe('the hash of a tag', () => {
  it('never changes, because it is stored', () => {
    expect(hex(tagHash(['browser', 'Firefox 143']))).toBe('e0b02e')
    expect(hex(tagHash(['', '']))).toBe('1d9d44')
  })

  it('separates the key from the value', () => {
    expect(hex(tagHash(['a', 'bc']))).not.toBe(hex(tagHash(['ab', 'c'])))
  })

  it('has three bytes for any text', () => {
    fc.assert(fc.property(fc.string(), fc.string(), (key, value) => tagHash([key, value]).length === 3))
  })
})

describe('the hashes of an event', () => {
  it('are those of its environment and of the tags that are counted', () => {
    const many = Array.from({ length: limits.indexedTagsPerEvent + 5 }, (_, index): [string, string] => [
      `key${index}`,
      'v'.repeat(500),
    ])
    const hashes = tagHashes(countedTags(makeEventRecord({ environment: 'staging', tags: many })))
    expect(hashes).toHaveLength(3 * (limits.indexedTagsPerEvent + 1))
    expect(hashes.subarray(0, 3)).toEqual(tagHash(['environment', 'staging']))
    expect(hashes.subarray(3, 6)).toEqual(tagHash(['key0', 'v'.repeat(limits.tagValueCharacters)]))
  })
})
