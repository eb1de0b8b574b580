import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { openKeptStore } from '#test/kept-store.ts'
import { addTestUser } from '#test/test-users.ts'

describe('what ended long ago', () => {
  it.each([
    [
      'sessions',
      'id',
      `INSERT INTO sessions (id, token, user_id, expires_at, created_at, updated_at)
       VALUES (:id, :id, 'ada', :text, :text, :text)`,
    ],
    [
      'verifications',
      'id',
      `INSERT INTO verifications (id, identifier, value, expires_at, created_at, updated_at)
       VALUES (:id, 'state', '{}', :text, :text, :text)`,
    ],
    [
      'account_links',
      'token_hash',
      `INSERT INTO account_links (token_hash, purpose, user_id, created_at, expires_at)
       VALUES (:id, 'password', 'ada', 0, :at)`,
    ],
  ])('is deleted from %s, and nothing else', async (table, key, insert) => {
    const { store, retain } = await openKeptStore()
    addTestUser(store, { userId: 'ada' })
    const { connection } = store
    for (const [id, endedMs] of [
      ['long ago', limits.sessionIdleMs + 1],
      ['lately', limits.sessionIdleMs - 1],
    ] as const) {
      const at = store.clock() - endedMs
      const values: Record<string, string> = {
        id: `'${id}'`,
        at: String(at),
        text: `'${new Date(at).toISOString()}'`,
      }
      connection.exec(insert.replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? ''))
    }
    const report = await retain()
    expect(report.rowCounts.get(table)).toBe(1)
    expect(connection.prepare(`SELECT ${key} AS id FROM ${table}`).all()).toEqual([{ id: 'lately' }])
  })

  it('is kept if it is an invitation, which the settings list', async () => {
    const { store, retain } = await openKeptStore()
    store.connection.exec(
      `INSERT INTO account_links (token_hash, purpose, created_at, expires_at) VALUES ('a', 'invite', 0, 0)`,
    )
    await retain()
    expect(store.connection.prepare('SELECT token_hash FROM account_links').all()).toHaveLength(1)
  })
})
