import { expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { openKeptStore } from '#test/kept-store.ts'
import { addTestUser } from '#test/test-users.ts'

it('deletes the sessions that have ended unused, and no other one', async () => {
  const { store, retain } = await openKeptStore()
  addTestUser(store, { userId: 'ada' })
  const { connection } = store
  const insert = connection.prepare(
    `INSERT INTO sessions (id, token, user_id, expires_at, created_at, updated_at) VALUES (?, ?, 'ada', ?, ?, ?)`,
  )
  for (const [id, unusedMs] of [
    ['ended', limits.sessionIdleMs + 1],
    ['open', limits.sessionIdleMs - 1],
  ] as const) {
    const used = new Date(store.clock() - unusedMs).toISOString()
    insert.run(id, id, used, used, used)
  }
  const report = await retain()
  expect(report.rowCounts.get('sessions')).toBe(1)
  expect(connection.prepare('SELECT id FROM sessions').all()).toEqual([{ id: 'open' }])
})
