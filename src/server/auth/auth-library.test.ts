import { expect, it } from 'vitest'
import { createLog } from '#server/log.ts'
import { onPostgres } from '#test/engine.ts'
import { openTestStore } from '#test/test-store.ts'
import { openAuthLibrary } from './auth-library.ts'

// `schema-parity.test.ts` compares the tables of the engines.
it.skipIf(onPostgres)('finds every table and column that the library uses', async () => {
  const store = await openTestStore()
  const open = () =>
    openAuthLibrary({ store, log: createLog('silent'), secret: 'a'.repeat(32), origin: 'http://127.0.0.1' })
  const check = async () => (await (await open()).$context).explicitSchemaCheck?.()
  await expect(check()).resolves.toBeUndefined()
  store.connection.exec('ALTER TABLE sessions RENAME COLUMN expires_at TO ended_at')
  await expect(check()).rejects.toThrow('expires_at')
})
