import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { parseDsn } from '#protocol/dsn.ts'
import { limits } from '#server/limits.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import type { OutboxEntry, DeliveryResult } from '#server/store/ingest/records.ts'
import { findBrokenInvariants } from '#test/store-invariants.ts'
import { openTestStore, testNow, type TestStore } from '#test/test-store.ts'
import { deleteUpstream } from './deletion.ts'
import { deflateOutboxBlock, inflateOutboxBlock, toOutboxBlocks } from './outbox-block.ts'
import { dropOutboxHead, OutboxReader } from './outbox.ts'
import { deleteUndelivered, retryUndelivered } from './undelivered.ts'
import { createUpstream } from './upstreams.ts'

let store: TestStore
let upstream: { projectId: number; upstreamId: string }
beforeEach(async () => {
  store = await openTestStore()
  const dsn = parseDsn(`http://${'a'.repeat(32)}@up.example/7`)
  const created = dsn && (await createUpstream(store, { projectId: 1, dsn }))
  if (created?.outcome !== 'created') throw new Error('no upstream')
  upstream = { projectId: 1, upstreamId: created.upstreamId }
})

function entryOf(category: string, body: Uint8Array): OutboxEntry {
  return { ...upstream, category, receivedAt: testNow, body }
}

/** Puts envelopes, each written LANE:BODY, into the queue in one transaction; they are numbered from 1. */
async function put(...envelopes: string[]): Promise<void> {
  const outbox = envelopes.map((text): OutboxEntry => {
    const [category = '', body = ''] = text.split(':')
    return entryOf(category, Buffer.from(body))
  })
  await createCommitter(store).commit({ events: [], outcomes: [], deadLetters: [], outbox })
}

async function settle(...deliveryResults: Omit<DeliveryResult, 'projectId' | 'upstreamId'>[]): Promise<void> {
  const whole = deliveryResults.map((deliveryResult) => Object.assign({}, upstream, deliveryResult))
  await createCommitter(store).commit({ events: [], outcomes: [], deadLetters: [], deliveryResults: whole })
}

async function read(number: number, reader = new OutboxReader(store.db, upstream)): Promise<string> {
  const found = await reader.read(number)
  return typeof found === 'string' ? found : Buffer.from(found.body).toString()
}

const blockNumbers = () =>
  store.connection
    .prepare('SELECT number FROM outbox_blocks ORDER BY number')
    .all()
    .map((row) => row['number'])

describe('envelopes in one block', () => {
  it('are read back unchanged for any content', () => {
    const bodies = fc.array(
      fc.record({ category: fc.constantFrom('error', 'session'), body: fc.uint8Array({ maxLength: 3_000 }) }),
      { minLength: 1 },
    )
    fc.assert(
      fc.property(bodies, (entries) => {
        const numbered = entries.map((each, at) => ({
          number: at + 1,
          entry: Object.assign({ projectId: 1, upstreamId: 'u', receivedAt: 1 }, each),
        }))
        const found = new Map<number, Uint8Array>()
        for (const block of toOutboxBlocks(numbered)) {
          const bytes = inflateOutboxBlock(deflateOutboxBlock(block), block.rawBytes)
          let offset = 0
          for (const { number, entry } of block.entries) {
            found.set(number, new Uint8Array(bytes?.subarray(offset, offset + entry.body.byteLength) ?? [1]))
            offset += entry.body.byteLength
          }
        }
        expect(numbered.map(({ number }) => found.get(number))).toEqual(entries.map(({ body }) => body))
      }),
    )
  })

  it('are split by category, and at the size limit of a block', () => {
    const half = Buffer.alloc(limits.outboxBlockBytes / 2 + 1)
    const bodies = [half, Buffer.alloc(1), half, half]
    const entries = bodies.map((body) => entryOf(body === half ? 'error' : 'session', body))
    const blocks = toOutboxBlocks(entries.map((entry, at) => ({ number: at + 1, entry })))
    expect(blocks.map((block) => block.entries.map(({ number }) => number))).toEqual([[1], [2], [3], [4]])
  })

  it('are read by one reader in any order, from a block or from their own row', async () => {
    await put('error:one', 'session:two', 'error:three', 'error:')
    store.connection
      .prepare(
        'UPDATE outbox SET body = ?, byte_count = 3, block_number = NULL, block_offset = NULL WHERE number = 2',
      )
      .run(Buffer.from('old'))
    const reader = new OutboxReader(store.db, upstream)
    for (const [number, body] of [
      [3, 'three'],
      [1, 'one'],
      [4, ''],
      [2, 'old'],
      [1, 'one'],
      [5, 'gone'],
    ] as const)
      expect(await read(number, reader)).toBe(body)
  })

  it('are read simultaneously, even when the cache is smaller or is cleared meanwhile', async () => {
    for (let at = 1; at <= 12; at += 1) await put(`error:a${at}`, `error:b${at}`)
    const reader = new OutboxReader(store.db, upstream)
    const numbers = Array.from({ length: 24 }, (_, at) => at + 1)
    for (let round = 0; round < 3; round += 1) {
      const reads = [...numbers, ...numbers].map((number) => read(number, reader))
      reader.clear()
      const expected = numbers.map((number) => `${number % 2 === 1 ? 'a' : 'b'}${Math.ceil(number / 2)}`)
      expect(await Promise.all(reads)).toEqual([...expected, ...expected])
    }
  })

  it('are deleted with the last envelope of their block, by delivery, expiry or removal', async () => {
    await put('error:one', 'session:two', 'error:three')
    await put('error:four', 'error:five')
    await put('error:six')
    expect(blockNumbers()).toEqual([1, 2, 4, 6])
    await settle({ number: 1 })
    expect(blockNumbers()).toEqual([1, 2, 4, 6])
    await settle({ number: 3 }, { number: 4 })
    expect(blockNumbers()).toEqual([2, 4, 6])
    expect(await read(5)).toBe('five')
    await dropOutboxHead(store, upstream, { before: testNow + 1, reason: 'upstream_expired' })
    expect(blockNumbers()).toEqual([])
    await put('error:seven')
    await deleteUpstream(store, upstream)
    expect(blockNumbers()).toEqual([])
    expect(findBrokenInvariants(store)).toEqual([])
  })

  it('are stored separately when they are rejected, and can be sent again from there', async () => {
    await put('error:one', 'error:two')
    await settle({ number: 1, rejected: { at: testNow, problem: '403', body: Buffer.from('one') } })
    await settle({ number: 2 })
    expect(blockNumbers()).toEqual([])
    expect(await read(1)).toBe('gone')
    await retryUndelivered(store, { ...upstream, number: 1 })
    expect(await read(1)).toBe('one')
    await settle({ number: 1, rejected: { at: testNow, problem: '403', body: Buffer.from('one') } })
    await deleteUndelivered(store, upstream)
    expect(findBrokenInvariants(store)).toEqual([])
  })

  it('are damaged together, and are neither sent nor treated as deleted', async () => {
    await put('error:one', 'error:two')
    await put('error:three')
    store.connection.prepare('UPDATE outbox_blocks SET data = ? WHERE number = 1').run(randomBytes(20))
    expect([await read(1), await read(2), await read(3)]).toEqual(['damaged', 'damaged', 'three'])
    await settle({ number: 1, rejected: { at: testNow, problem: 'damaged' } })
    await retryUndelivered(store, upstream)
    expect(await read(1)).toBe('damaged')
    store.connection.exec('DELETE FROM outbox_blocks WHERE number = 3')
    expect(await read(3)).toBe('damaged')
    expect(findBrokenInvariants(store)).toEqual(['1 queued envelopes are in no block'])
  })
})
