import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TextBlocks } from './text-blocks.ts'

const texts = fc.array(
  fc.tuple(fc.string({ unit: 'binary', maxLength: 40 }), fc.integer({ min: 0, max: 900 })),
  { maxLength: 40 },
)

describe('text blocks', () => {
  it('encode like a buffer, and leave earlier texts unchanged', () => {
    fc.assert(
      fc.property(texts, (parts) => {
        const blocks = new TextBlocks()
        const sent = parts.map(([text, count]) => text.repeat(count))
        const encoded = sent.map((text) => blocks.encode(text))
        expect(encoded.map((bytes) => Buffer.from(bytes))).toEqual(sent.map((text) => Buffer.from(text)))
      }),
      { numRuns: 50 },
    )
  })
})
