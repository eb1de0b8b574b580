import { totalmem } from 'node:os'
import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { readMemoryBytes, toMemoryBounds } from './memory-bounds.ts'

const mebibyte = 1024 * 1024

describe('the memory bounds', () => {
  it('equal the limits on a machine with plenty of memory', () => {
    expect(toMemoryBounds(16 * 1024 * mebibyte)).toEqual({
      bodyBytes: limits.ingestBufferedBytes,
      inflatesAtOnce: limits.inflatesAtOnce,
      connections: limits.connections,
      mapThreadBytes: limits.sourceMapThreadBytes,
      mapCacheBytes: limits.sourceMapCacheBytes,
    })
  })

  it('leave room for everything else in a container of 512 MB', () => {
    const bounds = toMemoryBounds(512 * mebibyte)
    // A body is in memory up to five times, besides the idle process.
    expect(5 * bounds.bodyBytes + 200 * mebibyte).toBeLessThan(512 * mebibyte)
    expect(bounds.bodyBytes).toBeGreaterThanOrEqual(limits.ingestBodyBytes)
    expect(bounds).toMatchObject({ inflatesAtOnce: 1, connections: 4096 })
    expect(bounds.mapThreadBytes).toBe(128 * mebibyte)
  })

  it('accept a body of full size with little memory', () => {
    expect(toMemoryBounds(64 * mebibyte).bodyBytes).toBe(limits.ingestBodyBytes)
  })

  it('follow the memory that this process may use', () => {
    const memoryBytes = readMemoryBytes()
    expect(memoryBytes).toBeGreaterThan(100 * mebibyte)
    expect(memoryBytes).toBeLessThanOrEqual(totalmem())
  })
})
