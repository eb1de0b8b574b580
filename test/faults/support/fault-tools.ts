import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The reason why a test cannot run on this machine, for its title; undefined if it can. */
export type Hindrance = string | undefined

/** The reason why system calls cannot be made to fail here. */
export function findTracerHindrance(): Hindrance {
  const { status, error } = spawnSync('strace', ['-f', '-qq', '-e', 'trace=fsync', 'true'])
  if (error) return 'strace is missing'
  return status === 0 ? undefined : 'strace may not trace here'
}

/** A separate file system in memory. */
export interface SmallDisk {
  path: string
  remove(): void
}

/** The reason why no small disk can be made here. */
export function findSmallDiskHindrance(): Hindrance {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root can mount a small disk'
  try {
    mountSmallDisk(1).remove()
    return undefined
  } catch {
    return 'no small disk can be mounted here'
  }
}

/** Mounts a disk of this many megabytes. Throws if that is not allowed. */
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

/** A memory limit for processes, like that of a container. */
export interface SmallMemory {
  /** Starts a command within it. */
  wrapper: string[]
  remove(): void
}

/** The reason why memory cannot be limited here. */
export function findSmallMemoryHindrance(): Hindrance {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root can bound memory'
  try {
    boundMemory(64).remove()
    return undefined
  } catch {
    return 'no control group for memory can be made here'
  }
}

/** Creates a control group with this many mebibytes, of version 2 or 1. Throws if that is not allowed. */
export function boundMemory(mebibytes: number): SmallMemory {
  const isUnified = existsSync('/sys/fs/cgroup/cgroup.controllers')
  const root = isUnified ? '/sys/fs/cgroup' : '/sys/fs/cgroup/memory'
  const path = mkdtempSync(join(root, 'culvert-memory-'))
  try {
    writeFileSync(
      join(path, isUnified ? 'memory.max' : 'memory.limit_in_bytes'),
      String(mebibytes * 1024 * 1024),
    )
  } catch (error) {
    rmdirSync(path)
    throw error
  }
  return {
    wrapper: ['sh', '-c', `echo $$ > ${join(path, 'cgroup.procs')}; exec "$@"`, 'sh'],
    remove: () => rmdirSync(path),
  }
}

/** The end of a skipped test's title. */
export function skipNote(hindrance: Hindrance): string {
  return hindrance === undefined ? '' : ` (skipped: ${hindrance})`
}
