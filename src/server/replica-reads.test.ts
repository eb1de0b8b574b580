import { expect, it, onTestFinished, vi } from 'vitest'
import { limits } from '#server/limits.ts'
import { openTestStore } from '#test/test-store.ts'
import { createReplicaReads } from './replica-reads.ts'
import type { ReadReplica } from './store/engine/read-replica.ts'

/** A replica at a position that a test sets. It answers when `answer` is called. */
async function openReplica() {
  const store = await openTestStore()
  const { db } = await store.openAgain()
  const written = { position: 0, read: () => Promise.resolve(written.position) }
  const replayed = { position: 0 }
  const asked: (() => void)[] = []
  const state = { isUsed: true }
  const replica: ReadReplica = {
    name: 'standby/culvert',
    db,
    state,
    check: () => Promise.resolve(state),
    readPosition: () => written.read(),
    hasReplayed: async (position) => {
      const isThere = replayed.position >= position
      await new Promise<void>((resolve) => asked.push(resolve))
      return isThere
    },
    fallbackCount: 0,
  }
  const answer = () => asked.splice(0).forEach((resolve) => resolve())
  const reads = createReplicaReads({ replica })
  /** The server that answers a user's reads. */
  const findReader = async (userId = 'ada', cookie?: string) => {
    const found = reads.servicesFor({ store }, { userId, ...(cookie !== undefined && { cookie }) })
    answer()
    return (await found).store.db === replica.db ? 'replica' : 'primary'
  }
  return { store, replica, written, replayed, answer, reads, findReader }
}

it('reads of a user who writes again during the check of the replica are sent to the primary', async () => {
  const { store, replica, written, replayed, answer, reads, findReader } = await openReplica()
  written.position = 1
  await reads.noteWrite('ada')
  replayed.position = 1
  const first = reads.servicesFor({ store }, { userId: 'ada' })
  written.position = 2
  await reads.noteWrite('ada')
  answer()
  expect((await first).store.db).toBe(replica.db)
  expect(await findReader()).toBe('primary')
  replayed.position = 2
  expect(await findReader()).toBe('replica')
})

it('reads of a user with two simultaneous changes wait for the later one, whichever is recorded last', async () => {
  const { written, replayed, reads, findReader } = await openReplica()
  const first = Promise.withResolvers<number>()
  written.read = () => first.promise
  const noting = reads.noteWrite('ada')
  written.read = () => Promise.resolve(2)
  expect(await reads.noteWrite('ada')).toContain('culvert_written=2;')
  first.resolve(1)
  const cookie = (await noting)?.split(';')[0]
  expect(cookie).toBe('culvert_written=2')
  replayed.position = 1
  expect(await findReader()).toBe('primary')
  // Another process knows only the cookie.
  expect(await findReader('of another process', cookie)).toBe('primary')
  replayed.position = 2
  expect(await findReader()).toBe('replica')
})

it('changes do not affect other users, nor users who only read', async () => {
  const { written, reads, findReader } = await openReplica()
  written.position = 5
  await reads.noteWrite('ada')
  await reads.noteWrite()
  expect(await findReader('ada')).toBe('primary')
  expect(await findReader('grace')).toBe('replica')
})

it('a change whose position cannot be read is read from the primary until any replica has it', async () => {
  const { written, replayed, reads, findReader } = await openReplica()
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  written.read = () => Promise.reject(new Error('the primary is away'))
  const seconds = (limits.replicaLagMs + 2 * limits.replicaCheckMs) / 1000
  expect(await reads.noteWrite('ada')).toContain(`Max-Age=${seconds};`)
  replayed.position = 100
  expect(await findReader()).toBe('primary')
  // A later change with a position does not end it.
  written.read = () => Promise.resolve(7)
  await reads.noteWrite('ada')
  expect(await findReader()).toBe('primary')
  vi.advanceTimersByTime(seconds * 1000)
  expect(await findReader()).toBe('replica')
})
