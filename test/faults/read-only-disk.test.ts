import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startServerProcess } from '#test/server-process.ts'
import { findSmallDiskHindrance, mountSmallDisk, skipNote } from './support/fault-tools.ts'
import { addFixtureProject } from './support/fixture-project.ts'

const hindrance = findSmallDiskHindrance()

it.skipIf(hindrance !== undefined)(
  `a start on a read-only file system ends with a message that names the remedy${skipNote(hindrance)}`,
  async () => {
    const disk = mountSmallDisk(64)
    try {
      const used = join(disk.path, 'used')
      await addFixtureProject(used)
      expect(spawnSync('mount', ['-o', 'remount,ro', disk.path]).status).toBe(0)
      for (const dataDir of [used, join(disk.path, 'new')]) {
        await expect(startServerProcess({ dataDir })).rejects.toThrow(
          /ended with 1: .*data directory .*\/(used|new)" cannot be used: .*CULVERT_DATA_DIR/,
        )
      }
    } finally {
      disk.remove()
    }
  },
)
