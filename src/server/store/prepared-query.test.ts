import { sql } from 'kysely'
import { expect, it, vi } from 'vitest'
import { openTestStore } from '#test/test-store.ts'
import { prepareQuery } from './prepared-query.ts'
import { createProject } from './projects/projects.ts'

async function openProjects() {
  const store = await openTestStore()
  for (const [index, name] of ['Shop', 'Blog', 'App'].entries())
    await createProject(store, { name, id: index + 11, publicKey: String(index).repeat(32) })
  return store
}

function createQuery() {
  const build = vi.fn<(length: number) => void>()
  const query = prepareQuery((db, { ids, besides }: { ids: readonly number[]; besides: string }) => {
    build(ids.length)
    return db
      .selectFrom('projects')
      .select('name')
      .where('id', 'in', ids)
      .where('name', '<>', besides)
      .orderBy('name')
  })
  return { query, build }
}

it('a prepared query is built once for each length of its lists, and has the values of each execution', async () => {
  const { db } = await openProjects()
  const { query, build } = createQuery()
  expect(await query(db, { ids: [11, 12], besides: '' })).toEqual([{ name: 'Blog' }, { name: 'Shop' }])
  expect(await query(db, { ids: [13, 12], besides: 'Blog' })).toEqual([{ name: 'App' }])
  expect(await query(db, { ids: [11], besides: '' })).toEqual([{ name: 'Shop' }])
  expect(await query(db, { ids: [11, 12], besides: 'Shop' })).toEqual([{ name: 'Blog' }])
  expect(build.mock.calls).toEqual([[2], [1]])
})

it('texts of one database are not used for another one', async () => {
  const [one, other] = [await openProjects(), await openProjects()]
  const { query, build } = createQuery()
  await query(one.db, { ids: [11], besides: '' })
  expect(await query(other.db, { ids: [12], besides: '' })).toEqual([{ name: 'Blog' }])
  expect(build).toHaveBeenCalledTimes(2)
})

it('in a transaction a prepared query sees what it wrote', async () => {
  const { writer } = await openProjects()
  const { query } = createQuery()
  await writer.transaction().execute(async (tx) => {
    await tx.updateTable('projects').set({ name: 'Store' }).where('id', '=', 11).execute()
    expect(await query(tx, { ids: [11], besides: '' })).toEqual([{ name: 'Store' }])
  })
})

it('a prepared query can be a text of SQL', async () => {
  const { db } = await openProjects()
  const query = prepareQuery((own, { name }: { name: string }) =>
    sql<{ id: number }>`select id from projects where name = ${name}`.compile(own),
  )
  expect(await query(db, { name: 'Shop' })).toEqual([{ id: 11 }])
})

it('a query that calculates with its values throws when it is built', async () => {
  const { db } = await openProjects()
  const query = prepareQuery((own, { id }: { id: number }) =>
    own
      .selectFrom('projects')
      .select('name')
      .where('id', '=', id + 1),
  )
  await expect(query(db, { id: 10 })).rejects.toThrow(/"id" of a prepared query/)
})
