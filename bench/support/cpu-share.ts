import { existsSync } from 'node:fs'
import { mkdir, rmdir, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Microseconds after which a process that has used its share may run again. */
const periodMicros = 5_000

/**
 * Lets a process and its threads use at most this share of one core from now on, as on a slower machine of
 * its own. Needs Linux with control groups, and their owner's rights. Returns a function that removes the
 * group once the process has ended.
 */
export async function limitCpu(pid: number, share: number): Promise<() => Promise<void>> {
  const root = '/sys/fs/cgroup'
  const isUnified = existsSync(`${root}/cgroup.controllers`)
  const folder = `${isUnified ? root : `${root}/cpu`}/culvert-bench-${pid}`
  const quota = String(Math.round(periodMicros * share))
  await mkdir(folder)
  if (isUnified) await writeFile(`${folder}/cpu.max`, `${quota} ${periodMicros}`)
  else {
    await writeFile(`${folder}/cpu.cfs_period_us`, String(periodMicros))
    await writeFile(`${folder}/cpu.cfs_quota_us`, quota)
  }
  await writeFile(`${folder}/cgroup.procs`, String(pid))
  return async () => {
    // The group of a process that has just ended is still busy for a moment.
    for (let attempt = 0; attempt < 20; attempt += 1) {
      try {
        return await rmdir(folder)
      } catch {
        await sleep(50)
      }
    }
  }
}
