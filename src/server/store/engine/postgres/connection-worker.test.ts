import { Worker } from 'node:worker_threads'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Store } from '#server/store/store.ts'
import { onPostgres } from '#test/engine.ts'
import { openTestStore } from '#test/test-store.ts'

const processId = ({ connection }: Store) =>
  Number(connection.prepare('SELECT pg_backend_pid() AS id').get()?.['id'])

describe.skipIf(!onPostgres)('a connection that is closed', () => {
  it('rolls back its transaction and ends, and the next one in its thread has a session of its own', async () => {
    const store = await openTestStore()
    const closed = await store.openAgain()
    closed.connection.exec('BEGIN')
    closed.connection.exec('UPDATE projects SET name = $$lost$$; CREATE TEMPORARY TABLE of_session (id int)')
    const closedId = processId(closed)
    closed.connection.close()
    const count = 'SELECT count(*) AS n FROM pg_stat_activity WHERE pid = ?'
    await expect.poll(() => store.connection.prepare(count).get(closedId)).toEqual({ n: 0 })

    const next = await store.openAgain()
    expect(next.connection.isTransaction).toBe(false)
    expect(processId(next)).not.toBe(closedId)
    next.connection.exec('CREATE TEMPORARY TABLE of_session (id int)')
    expect(next.connection.prepare('SELECT name FROM projects WHERE id = 1').get()).toEqual({ name: 'Web' })
    expect(() => closed.connection.exec('SELECT 1')).toThrow('the connection is closed')
  })

  it('does not leave its thread to the next one if the thread has ended', async () => {
    const store = await openTestStore()
    const post = vi.spyOn(Worker.prototype, 'postMessage')
    onTestFinished(() => post.mockRestore())
    const closed = await store.openAgain()
    closed.connection.close()
    const threads = post.mock.contexts.filter((thread) => thread instanceof Worker)
    expect(threads).toHaveLength(1)
    await Promise.all(threads.map((thread) => thread.terminate()))
    const next = await store.openAgain()
    expect(next.connection.prepare('SELECT 1 AS n').get()).toEqual({ n: 1 })
  })
})
