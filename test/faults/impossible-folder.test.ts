import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { runCulvert, startServerProcess } from '#test/server-process.ts'
import { skipNote } from './support/fault-tools.ts'

/** Exists, but folders cannot be created in it: the system reports ENOENT for each. */
const parent = '/proc'
const hindrance = existsSync(`${parent}/self`) ? undefined : 'this system has no /proc'

it.skipIf(hindrance !== undefined).each([`${parent}/nope`, `${parent}/no/such/folder`])(
  `a start with CULVERT_DATA_DIR=%s exits with 1 and names the setting${skipNote(hindrance)}`,
  async (dataDir) => {
    for (const args of [[], ['--ingest-only']]) {
      await expect(startServerProcess({ dataDir, args })).rejects.toThrow(
        /ended with 1: The data directory "\/proc\/no.*" cannot be used: ENOENT.* set CULVERT_DATA_DIR to another one/,
      )
    }
  },
)

it.skipIf(hindrance !== undefined)(
  `a command with such a folder also exits with 1${skipNote(hindrance)}`,
  async () => {
    const variables = { CULVERT_DATA_DIR: `${parent}/nope` }
    const created = await runCulvert(['project', 'add', 'Shop'], variables)
    expect([created.code, created.stderr]).toEqual([1, expect.stringContaining('cannot be used: ENOENT')])
    const listed = await runCulvert(['project', 'list'], variables)
    expect([listed.code, listed.stderr]).toEqual([
      1,
      expect.stringContaining('No Culvert installation in /proc/nope'),
    ])
  },
)
