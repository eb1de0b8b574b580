import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeTestFolder } from '#test/test-store.ts'
import { readMigrations } from './migrations.ts'

const first = { version: 1, name: '0001_first', sql: 'CREATE TABLE first (a INTEGER);' }
const second = { version: 2, name: '0002_second', sql: 'CREATE TABLE second (a INTEGER);' }

describe('reading migrations', () => {
  it('returns the .sql files of a folder by number', async () => {
    const folder = await makeTestFolder()
    await writeFile(join(folder, '0002_second.sql'), second.sql)
    await writeFile(join(folder, '0001_first.sql'), first.sql)
    await writeFile(join(folder, 'README.md'), '')
    expect(await readMigrations(folder)).toEqual([first, second])
  })

  it.each([['0002_late.sql'], ['0001_Name.sql'], ['first.sql']])('rejects %s as the first', async (file) => {
    const folder = await makeTestFolder()
    await writeFile(join(folder, file), '')
    await expect(readMigrations(folder)).rejects.toThrow(`migration ${file}: expected number 1`)
  })
})
