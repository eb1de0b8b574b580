import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Why a test cannot run on this machine, for its name; undefined when it can. */
export type Hindrance = string | undefined

/** Says whether system calls can be made to fail here. */
export function findTracerHindrance(): Hindrance {
  const { status, error } = spawnSync('strace', ['-f', '-qq', '-e', 'trace=fsync', 'true'])
  if (error) return 'strace is missing'
  return status === 0 ? undefined : 'strace may not trace here'
}

/** A file system of its own in memory. */
export interface SmallDisk {
  path: string
  remove(): void
}

/** Says whether a small disk can be made here. */
export function findSmallDiskHindrance(): Hindrance {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root can mount a small disk'
  try {
    mountSmallDisk(1).remove()
    return undefined
  } catch {
    return 'no small disk can be mounted here'
  }
}

/** Mounts a disk of so many megabytes. Throws where that is not allowed. */
export function mountSmallDisk(megabytes: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), 'culvert-disk-'))
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], {
    encoding: 'utf8',
  })
  if (status !== 0) {
    rmSync(path, { recursive: true })
    throw new Error(`mount: ${stderr}`)
  }
  return {
    path,
    remove() {
      spawnSync('umount', ['-l', path])
      rmSync(path, { recursive: true, force: true })
    },
  }
}

/** What a skipped test's name ends with. */
export function skipNote(hindrance: Hindrance): string {
  return hindrance === undefined ? '' : ` (skipped: ${hindrance})`
}
