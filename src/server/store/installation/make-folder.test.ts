import { existsSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeTestFolder } from '#test/test-store.ts'
import { makeFolder } from './make-folder.ts'

it('creates a folder with its parents, and keeps an existing one', async () => {
  const path = join(await makeTestFolder(), 'a', 'b', 'c')
  makeFolder(path)
  makeFolder(path)
  expect(statSync(path).isDirectory()).toBe(true)
})

it.skipIf(!existsSync('/proc/self'))('throws when the parent exists and accepts no folders', () => {
  expect(() => makeFolder('/proc/nope/data')).toThrow(/ENOENT.*'\/proc\/nope'/)
})

it('throws below a file, and at a dangling link', async () => {
  const folder = await makeTestFolder()
  writeFileSync(join(folder, 'file'), '')
  symlinkSync(join(folder, 'nothing'), join(folder, 'link'))
  expect(() => makeFolder(join(folder, 'file', 'data'))).toThrow('ENOTDIR')
  expect(() => makeFolder(join(folder, 'link'))).toThrow('EEXIST')
})
