import { describe, expect, it } from 'vitest'
import { isChunkLoadError } from './chunk-load-errors.ts'

function isChunk(type: string, value: string): boolean {
  return isChunkLoadError({
    type: 'error',
    exceptions: [
      { type: 'Cause', value: 'x' },
      { type, value },
    ],
  })
}

describe('isChunkLoadError', () => {
  it.each([
    ['ChunkLoadError', 'Loading chunk 3662 failed.\n(error: https://x.test/_next/static/chunks/1.js)'],
    ['ChunkLoadError', 'Failed to load chunk /_next/static/chunks/a.js from module 1'],
    ['Error: Uncaught (in promise)', 'ChunkLoadError: Loading chunk 175 failed.'],
    ['Error', 'Uncaught (in promise): ChunkLoadError: Loading chunk 1 failed'],
    ['CHUNKLOADERROR', 'loading CHUNK 1'],
  ])('recognizes %s: %s', (type, value) => {
    expect(isChunk(type, value)).toBe(true)
  })

  it.each([
    ['Error', 'Loading chunk 1 failed'],
    ['ChunkLoadError', 'no memory'],
    ['TypeError', 'chunk is undefined'],
  ])('keeps %s: %s', (type, value) => {
    expect(isChunk(type, value)).toBe(false)
  })
})
