import { expect, it } from 'vitest'
import { openTestStore } from '../../test/support/test-store.ts'
import { createReplicaReads } from './replica-reads.ts'
import type { ReadReplica } from './store/engine/read-replica.ts'

/** A replica at a position that a test sets. Its answers come when `answer` is called. */
async function openReplica() {
  const store = await openTestStore()
  const { db } = await store.openAgain()
  const [written, replayed] = [{ position: 0 }, { position: 0 }]
  const asked: (() => void)[] = []
  const state = { isUsed: true }
  const replica: ReadReplica = {
    name: 'standby/culvert',
    db,
    state,
    check: () => Promise.resolve(state),
    readPosition: () => Promise.resolve(written.position),
    hasReplayed: async (position) => {
      const isThere = replayed.position >= position
      await new Promise<void>((resolve) => asked.push(resolve))
      return isThere
    },
    fallbackCount: 0,
  }
  const answer = () => asked.splice(0).forEach((resolve) => resolve())
  return { store, replica, written, replayed, answer }
}

it('reads of a user who writes again while the replica is asked go to the primary', async () => {
  const { store, replica, written, replayed, answer } = await openReplica()
  const reads = createReplicaReads({ replica })
  const findReader = async () => {
    const found = reads.servicesFor({ store }, { userId: 'ada' })
    answer()
    return (await found).store.db === replica.db ? 'replica' : 'primary'
  }
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
