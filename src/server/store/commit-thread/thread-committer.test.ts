import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTick } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { limits } from '#server/limits.ts'
import { findEvent } from '#server/store/events/events.ts'
import {
  makeEventRecord,
  makeTestFolder,
  openTestStore,
  testId,
  testProjectIds,
  entryOf,
} from '#test/test-store.ts'
import type { TestStore } from '#test/test-store.ts'
import { createThreadCommitter } from './thread-committer.ts'

const eventOf = (name: string, text = `{"name":"${name}"}`) =>
  makeEventRecord({ eventId: testId(name), payload: Buffer.from(text) })

function openCommitter(store: TestStore) {
  const error = vi.fn<(fields: object, message: string) => void>()
  const committer = createThreadCommitter(store, { error })
  onTestFinished(() => committer.close())
  return { committer, error }
}

/** A committer with a running thread, recorded commits, frozen timers, and a lock that blocks commits. */
async function openBusy() {
  const store = await openTestStore()
  const { committer } = openCommitter(store)
  await committer.commit(entryOf())
  const post = vi.spyOn(Worker.prototype, 'postMessage')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
    post.mockRestore()
  })
  return {
    committer,
    post,
    lock: () => store.connection.exec('BEGIN IMMEDIATE'),
    unlock: () => store.connection.exec('ROLLBACK'),
  }
}

describe('a committer in a thread of its own', () => {
  it('has committed the answered entries, each payload with its event', async () => {
    const store = await openTestStore()
    const { committer } = openCommitter(store)
    const names = Array.from({ length: 30 }, (_, index) => `event ${index}`)
    const results = await Promise.all(names.map((name) => committer.commit(entryOf(eventOf(name)))))
    expect(results).toEqual(names.map(() => ({ events: ['accepted'] })))
    for (const name of names) {
      const found = await findEvent(store.db, { id: testId(name), projectIds: testProjectIds })
      expect(Buffer.from(found?.event.payload ?? []).toString()).toBe(`{"name":"${name}"}`)
    }
  })

  it('accepts several events, none, and the other parts of an entry', async () => {
    const store = await openTestStore()
    const { committer } = openCommitter(store)
    const payload = Buffer.from('whole buffer').subarray(6)
    await committer.commit({
      ...entryOf(eventOf('a'), eventOf('b', ''), eventOf('a')),
      deadLetters: [
        { projectId: 1, itemType: 'event', category: 'error', reason: 'boom', receivedAt: 1, payload },
      ],
    })
    await expect(committer.commit(entryOf())).resolves.toEqual({ events: [] })
    await expect(committer.commit(entryOf(eventOf('b')))).resolves.toEqual({ events: ['duplicate'] })
    const [letter] = store.connection.prepare('SELECT payload FROM dead_letters').all()
    expect(Buffer.from(letter?.['payload'] as Uint8Array).toString()).toBe('buffer')
  })

  it('reopens an issue that this thread has resolved since its last event', async () => {
    const store = await openTestStore()
    const { committer } = openCommitter(store)
    const readStatus = () => store.db.selectFrom('issues').select('status').execute()
    await committer.commit(entryOf(eventOf('a')))
    await store.writer.updateTable('issues').set({ status: 'resolved' }).execute()
    await expect(readStatus()).resolves.toEqual([{ status: 'resolved' }])
    await committer.commit(entryOf(eventOf('b')))
    await expect(readStatus()).resolves.toEqual([{ status: 'unresolved' }])
  })

  it('waits while this thread writes, and this thread waits for it', async () => {
    const store = await openTestStore()
    const { committer } = openCommitter(store)
    const writes = Array.from({ length: 20 }, (_, index) =>
      store.writer
        .insertInto('settings')
        .values({ key: `k${index}`, value: '' })
        .execute(),
    )
    const commits = Array.from({ length: 20 }, (_, index) => committer.commit(entryOf(eventOf(`e${index}`))))
    await expect(Promise.all([...writes, ...commits])).resolves.toHaveLength(40)
  })

  it('gets all entries that arrived during a commit at once, and together', async () => {
    const { committer, post, lock, unlock } = await openBusy()
    lock()
    const first = committer.commit(entryOf(eventOf('first')))
    await nextTick()
    const later = ['a', 'b', 'c'].map((name) => committer.commit(entryOf(eventOf(name))))
    const settlement = committer.commit(entryOf(eventOf('d')), 'deferred')
    // Longer than deferred entries wait, shorter than collected ones.
    vi.advanceTimersByTime(limits.commitDeferMs)
    expect(post).toHaveBeenCalledOnce()
    expect(committer.waitingCount()).toBe(5)
    unlock()
    await first
    expect(post).toHaveBeenCalledTimes(2)
    await Promise.all([...later, settlement])
    expect(post).toHaveBeenCalledTimes(2)
    expect(committer.waitingCount()).toBe(0)
  })

  it('gets waiting entries after a while, however long it commits', async () => {
    const { committer, post, lock, unlock } = await openBusy()
    lock()
    const first = committer.commit(entryOf(eventOf('first')))
    await nextTick()
    const second = committer.commit(entryOf(eventOf('second')))
    expect(post).toHaveBeenCalledOnce()
    vi.advanceTimersByTime(limits.commitCollectedMs)
    expect(post).toHaveBeenCalledTimes(2)
    unlock()
    await Promise.all([first, second])
  })

  it('rejects the entries of a thread that ended, and the queued ones', async () => {
    const { committer, post, lock, unlock } = await openBusy()
    lock()
    const entries = [committer.commit(entryOf(eventOf('sent')))]
    await nextTick()
    entries.push(committer.commit(entryOf(eventOf('waiting'))))
    const refused = entries.map((entry) => expect(entry).rejects.toMatchObject({ reason: 'CLOSED' }))
    const [thread] = post.mock.contexts
    if (thread instanceof Worker) await thread.terminate()
    vi.advanceTimersByTime(limits.commitCollectedMs)
    await Promise.all(refused)
    unlock()
  })

  it('rejects an entry that cannot be written with its error, and no other entry', async () => {
    const store = await openTestStore()
    const { committer } = openCommitter(store)
    const hopeless = committer.commit(entryOf({ ...eventOf('a'), projectId: Number.NaN }))
    const neighbour = committer.commit(entryOf(eventOf('b')))
    await expect(hopeless).rejects.toThrow(/NOT NULL|invalid input syntax/)
    await expect(neighbour).resolves.toEqual({ events: ['accepted'] })
  })

  it('rejects an entry that cannot be serialized, and no other entry', async () => {
    const store = await openTestStore()
    const { committer } = openCommitter(store)
    const title = (() => 'no text') as unknown as string
    const settled = await Promise.allSettled([
      committer.commit(entryOf(eventOf('a'))),
      committer.commit(entryOf({ ...eventOf('b'), title })),
      committer.commit(entryOf(eventOf('c'))),
    ])
    const accepted = { status: 'fulfilled', value: { events: ['accepted'] } }
    const refused = { status: 'rejected', reason: { name: 'DataCloneError' } }
    expect(settled).toMatchObject([accepted, refused, accepted])
    expect(committer.waitingCount()).toBe(0)
    await expect(committer.commit(entryOf(eventOf('d')))).resolves.toEqual({ events: ['accepted'] })
  })

  it('counts everything before it is closed, and rejects later entries', async () => {
    const store = await openTestStore()
    const { committer } = openCommitter(store)
    void committer.commit(entryOf(eventOf('a')))
    await committer.close()
    expect(store.connection.prepare('SELECT count(*) AS n FROM events').get()).toEqual({ n: 1 })
    await expect(committer.commit(entryOf(eventOf('b')))).rejects.toMatchObject({ reason: 'CLOSED' })
  })

  it('rejects entries that its thread could not commit, and starts another one', async () => {
    const store = await openTestStore()
    const obstacle = join(await makeTestFolder(), 'obstacle')
    await writeFile(obstacle, '')
    const { committer, error } = openCommitter({ ...store, path: join(obstacle, 'culvert.db') })
    await expect(committer.commit(entryOf(eventOf('a')))).rejects.toMatchObject({ reason: 'CLOSED' })
    expect(error).toHaveBeenCalledOnce()
    await rm(obstacle)
    // The store that it creates there has no project, so the event cannot have an issue.
    await vi.waitFor(
      () => expect(committer.commit(entryOf(eventOf('a')))).resolves.toEqual({ events: ['dead_letter'] }),
      { timeout: 20_000, interval: 200 },
    )
  })
})
