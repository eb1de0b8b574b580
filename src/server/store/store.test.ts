import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { onPostgres } from '#test/engine.ts'
import { makeEventRecord, makeTestFolder, openTestStore, testNow, entryOf } from '#test/test-store.ts'
import { expectThroughout } from '#test/waiting.ts'
import { createCommitter } from './ingest/committer.ts'
import { findSetting, setSetting } from './installation/settings.ts'
import { createProject, listProjectKeys } from './projects/projects.ts'
import { openStore } from './store.ts'

const clock = () => testNow

/** Runs TypeScript in another process, with this folder as its place. */
async function runElsewhere(source: string): Promise<string> {
  const runner = promisify(execFile)
  const { stdout } = await runner(process.execPath, ['--input-type=module-typescript', '-e', source], {
    cwd: import.meta.dirname,
  })
  return stdout.trim()
}

const elsewhere = (path: string, statements: string) => `
  import { openStore } from './store.ts'
  import { createProject, listProjectKeys } from './projects/projects.ts'
  const store = await openStore({ path: ${JSON.stringify(path)}, clock: () => ${testNow} })
  ${statements}
  await store.close()`

describe('opening a store', () => {
  it('creates the folder and the file, with the durable settings', async () => {
    const path = join(await makeTestFolder(), 'new/folder/culvert.db')
    const store = await openStore({ path, clock })
    const pragma = (name: string) => Object.values(store.connection.prepare(`PRAGMA ${name}`).get() ?? {})[0]
    expect(pragma('journal_mode')).toBe('wal')
    expect(pragma('synchronous')).toBe(2)
    expect(pragma('foreign_keys')).toBe(1)
    expect(pragma('busy_timeout')).toBe(0)
    expect(pragma('auto_vacuum')).toBe(2)
    expect(pragma('page_size')).toBe(2_048)
    expect(pragma('wal_autocheckpoint')).toBe(81_920)
    await store.close()
  })

  it.skipIf(onPostgres)('opens a database of Culvert 0.2 with its larger pages', async () => {
    const path = join(await makeTestFolder(), 'culvert.db')
    const earlier = new DatabaseSync(path)
    earlier.exec('PRAGMA page_size = 4096; CREATE TABLE any (a INTEGER)')
    earlier.close()
    const store = await openStore({ path, clock })
    const pragma = (name: string) => Object.values(store.connection.prepare(`PRAGMA ${name}`).get() ?? {})[0]
    expect([pragma('page_size'), pragma('wal_autocheckpoint')]).toEqual([4_096, 40_960])
    await store.close()
  })

  it('finds all rows again after closing', async () => {
    const store = await openTestStore()
    await store.commit(makeEventRecord())
    await setSetting(store, 'a', '1')
    await setSetting(store, 'a', '2')
    await store.close()
    const again = await store.openAgain()
    expect(await findSetting(again.db, 'a')).toBe('2')
    expect(again.connection.prepare('SELECT count(*) AS n FROM events').get()).toEqual({ n: 1 })
    expect(await listProjectKeys(again.db)).toHaveLength(2)
  })

  it('can be closed twice', async () => {
    const store = await openTestStore()
    await store.close()
    await expect(store.close()).resolves.toBeUndefined()
  })

  it.skipIf(onPostgres)('reads through a connection that cannot write', async () => {
    const store = await openTestStore()
    await expect(store.db.deleteFrom('projects').execute()).rejects.toThrow(/readonly/)
  })

  it('reports each statement of a read once, and no statement of a write', async () => {
    const statements: string[] = []
    const store = await openTestStore({ onStatement: (sql) => statements.push(sql) })
    await setSetting(store, 'a', '1')
    expect(statements).toEqual([])
    await findSetting(store.db, 'a')
    await findSetting(store.db, 'a')
    expect(statements).toHaveLength(2)
  })
})

describe('a file that is opened several times', () => {
  it('is set up once when opened several times at the same time', async () => {
    const path = join(await makeTestFolder(), 'culvert.db')
    const counts = await Promise.all(
      Array.from({ length: 3 }, () =>
        runElsewhere(elsewhere(path, 'console.log((await listProjectKeys(store.db)).length)')),
      ),
    )
    expect(counts).toEqual(['0', '0', '0'])
    const store = await openStore({ path, clock })
    expect(store.connection.prepare('SELECT count(*) AS n FROM organizations').get()).toEqual({ n: 1 })
    await store.close()
  }, 30_000)

  it('has a data version that is never older than the call', async () => {
    const store = await openTestStore()
    const other = await store.openAgain()
    for (const name of ['First', 'Second', 'Third']) {
      const before = await store.engine.readDataVersion()
      const read = async () => store.engine.readDataVersion()
      const reads = [read(), read()]
      await createProject(other, { name })
      expect(await store.engine.readDataVersion()).not.toBe(before)
      await Promise.all(reads)
    }
  })

  it('shows the commits of another process, and changes its data version', async () => {
    const store = await openTestStore()
    const before = await store.engine.readDataVersion()
    await createProject(store, { name: 'Own' })
    // PostgreSQL does not distinguish the transactions of this connection from others.
    const own = await store.engine.readDataVersion()
    expect(own === before || onPostgres).toBe(true)
    await runElsewhere(elsewhere(store.path, `await createProject(store, { name: 'Other', id: 77 })`))
    expect(await store.engine.readDataVersion()).not.toBe(before)
    expect((await listProjectKeys(store.db)).map((key) => key.projectId)).toContain(77)
  }, 30_000)
})

it('rejects a file that is not a database', async () => {
  const path = join(await makeTestFolder(), 'culvert.db')
  await writeFile(path, 'this is a letter and not a database at all'.repeat(100))
  await expect(openStore({ path, clock })).rejects.toThrow(/not a database/)
})

it('rejects a database of a newer version', async () => {
  const store = await openTestStore()
  store.connection.exec(`INSERT INTO schema_migrations VALUES (9999, '9999_future', 0)`)
  await store.close()
  await expect(store.openAgain()).rejects.toThrow(/newer Culvert.*version 9999, this one knows \d+/)
})

describe('a transaction of the console', () => {
  it('blocks the committer, and neither is affected by an error of the other', async () => {
    const store = await openTestStore()
    const committer = createCommitter(store)
    const order: string[] = []
    const note = (what: string) => order.push(what)
    const { commit } = await store.writer.transaction().execute(async (tx) => {
      await tx.insertInto('settings').values({ key: 'a', value: '1' }).execute()
      const committing = committer.commit(entryOf(makeEventRecord())).then(() => note('commit'))
      await expectThroughout(20, () => expect(order).toEqual([]))
      note('transaction')
      return { commit: committing }
    })
    await commit
    expect(order).toEqual(['transaction', 'commit'])
    expect(await findSetting(store.db, 'a')).toBe('1')
  })

  it('is rolled back completely when it throws, and releases the connection', async () => {
    const store = await openTestStore()
    const failing = store.writer.transaction().execute(async (tx) => {
      await tx.insertInto('settings').values({ key: 'a', value: '1' }).execute()
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect(await findSetting(store.db, 'a')).toBeUndefined()
    await expect(store.commit(makeEventRecord())).resolves.toEqual({
      events: ['accepted'],
    })
  })
})
