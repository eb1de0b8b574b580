import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { hourMs } from '#time/time-steps.ts'
import { createBlockBuilder, createBlockIds, firstBlockIdAt, readPayload } from './body-block.ts'

const counter = () => {
  let id = 0
  return () => (id += 1)
}

describe('body blocks', () => {
  it('return every payload of every project', () => {
    const payloads = fc.array(
      fc.record({ projectId: fc.integer({ min: 1, max: 3 }), bytes: fc.uint8Array({ maxLength: 5_000 }) }),
    )
    fc.assert(
      fc.property(payloads, (events) => {
        const builder = createBlockBuilder(counter())
        const places = events.map(({ projectId, bytes }) => {
          const { blockId, offset, fill } = builder.slotFor(projectId, bytes.byteLength)
          fill(bytes)
          return { blockId, offset, bytes }
        })
        const blocks = new Map(builder.finish().map((block) => [block.id, block]))
        for (const { blockId, offset, bytes } of places) {
          const block = blocks.get(blockId)
          if (!block) throw new Error('the block is missing')
          expect(readPayload(block, offset, bytes.byteLength)).toEqual(bytes)
        }
      }),
    )
  })

  it('leave no gap for an event that was not stored, and are not created without events', () => {
    const builder = createBlockBuilder(counter())
    builder.slotFor(1, 10)
    expect(builder.slotFor(1, 10).offset).toBe(0)
    expect(builder.finish()).toEqual([])
  })

  it('are replaced when full, and store one payload of any size', () => {
    const builder = createBlockBuilder(counter())
    const sizes = [limits.bodyBlockBytes * 2, 1, limits.bodyBlockBytes - 1, 1]
    const ids = sizes.map((size) => {
      const { blockId, fill } = builder.slotFor(1, size)
      fill(new Uint8Array(size))
      return blockId
    })
    expect(ids).toEqual([1, 2, 2, 3])
  })

  it('throw for a range outside their content', () => {
    const builder = createBlockBuilder(counter())
    const { fill } = builder.slotFor(1, 3)
    fill(Buffer.from('abc'))
    const [block] = builder.finish()
    if (!block) throw new Error('the block is missing')
    expect(() => readPayload(block, 2, 2)).toThrow(RangeError)
    expect(() => readPayload({ ...block, data: Buffer.from('damaged') }, 0, 1)).toThrow(/frame/i)
    expect(() => readPayload({ ...block, rawBytes: 2 }, 0, 1)).toThrow(RangeError)
  })
})

describe('block ids', () => {
  it('increase even when the clock stops or goes back a little, and are safe integers until 2109', () => {
    let now = Date.UTC(2109, 0, 1)
    const next = createBlockIds(() => now)
    const ids = Array.from({ length: 3_000 }, () => next())
    now -= 30_000
    ids.push(next())
    expect(ids).toEqual(ids.toSorted((one, other) => one - other))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.every(Number.isSafeInteger)).toBe(true)
  })

  it('of a later start are above those of an earlier one', () => {
    const before = createBlockIds(() => 1_000)
    const last = Array.from({ length: 100 }, () => before()).at(-1) ?? 0
    expect(createBlockIds(() => 1_010)()).toBeGreaterThan(last)
  })

  it('follow the clock when it is set back by more than a minute', () => {
    let now = Date.UTC(2026, 10, 21)
    const nextId = createBlockIds(() => now)
    nextId()
    now -= hourMs
    expect(nextId()).toBeLessThan(firstBlockIdAt(now + 1))
  })
})
