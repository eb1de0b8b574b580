import { sql } from 'kysely'
import { Client } from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { limits } from '#server/limits.ts'
import type { Db } from '#server/store/schema/database.ts'
import { openStore } from '#server/store/store.ts'
import { onPostgres } from '#test/engine.ts'
import { openTestStore, testNow } from '#test/test-store.ts'
import { NamedReads } from './named-reads.ts'

async function readOften<Row>(read: () => Promise<Row>): Promise<Row[]> {
  const rows: Row[] = []
  // One after another, so that all of them use one connection.
  for (let use = 0; use < 2 * limits.namedReadUses; use += 1) rows.push(await read())
  return rows
}

async function countNamed(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*) FROM pg_prepared_statements`.execute(db)
  return rows[0]?.count ?? 0
}

describe.skipIf(!onPostgres)('a read', () => {
  it('is prepared under a name if it is used often', async () => {
    const { db } = await openTestStore()
    const read = () => sql<{ one: number }>`SELECT ${1}::bigint AS one`.execute(db)
    await read()
    expect(await countNamed(db)).toBe(0)
    const results = await readOften(read)
    expect(results.every(({ rows: [row] }) => row?.one === 1)).toBe(true)
    expect(await countNamed(db)).toBe(1)
  })

  it('gets the name of another one after an hour, if all names are in use', async () => {
    const { path } = await openTestStore()
    const client = new Client({ connectionString: path })
    await client.connect()
    onTestFinished(() => client.end())
    const clock = { now: 0 }
    const reads = new NamedReads(true, () => clock.now)
    const read = async (number: number) => {
      for (let use = 0; use < limits.namedReadUses; use += 1)
        await reads.query(client, `SELECT $1::bigint AS column_${number}`, [1])
    }
    const countNames = async () =>
      (await client.query<{ count: string }>('SELECT count(*) FROM pg_prepared_statements')).rows[0]?.count
    for (let number = 0; number <= limits.namedReads; number += 1) await read(number)
    expect(await countNames()).toBe(String(limits.namedReads))
    clock.now = limits.namedReadsMs
    await read(limits.namedReads)
    expect(await countNames()).toBe(String(limits.namedReads + 1))
  })

  it('is not prepared under a name where the address says that a pooler loses names', async () => {
    const { path } = await openTestStore()
    const url = new URL(path)
    url.searchParams.set('pgbouncer', 'true')
    const store = await openStore({ path: url.href, clock: () => testNow })
    onTestFinished(() => store.close())
    await readOften(() => sql`SELECT ${1}::bigint AS one`.execute(store.db))
    expect(await countNamed(store.db)).toBe(0)
  })

  it('succeeds after a migration has changed the columns that it returns', async () => {
    const { db, path } = await openTestStore()
    const client = new Client({ connectionString: path })
    await client.connect()
    onTestFinished(() => client.end())
    await client.query('CREATE TABLE changing AS SELECT 1::bigint AS id')
    const read = () => sql<object>`SELECT * FROM changing WHERE id = ${1}`.execute(db)
    expect((await readOften(read)).at(-1)?.rows).toEqual([{ id: 1 }])
    await client.query('ALTER TABLE changing ADD COLUMN more bigint')
    expect((await read()).rows).toEqual([{ id: 1, more: null }])
  })
})
