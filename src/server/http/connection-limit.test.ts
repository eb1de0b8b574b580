import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { maxConnectionsFor, readOpenFilesLimit } from './connection-limit.ts'

describe('the number of connections', () => {
  it.each([
    [Number.POSITIVE_INFINITY, limits.connections],
    [1_048_576, limits.connections],
    [20_000, 20_000 - 200 - limits.reservedFiles],
    [64, 64 - 1 - limits.reservedFiles],
    [10, 1],
  ])('that %d open files allow', (openFiles, connections) => {
    expect(maxConnectionsFor(openFiles)).toBe(connections)
  })

  it('is derived from the open files limit of this process', () => {
    expect(readOpenFilesLimit()).toBeGreaterThan(100)
  })
})
