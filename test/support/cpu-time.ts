import { readFileSync } from 'node:fs'

/** CPU time of this thread so far, in milliseconds. Other load of the machine hardly affects it. */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** CPU time of the main thread of another process so far, in milliseconds; 0 if it is not reported. */
export function mainThreadCpuMs(pid: number | undefined): number {
  if (process.platform !== 'linux') return 0
  const [nanoseconds] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')
  return Number(nanoseconds) / 1e6
}

function wallMsOf(step: () => void): number {
  const startedAt = performance.now()
  step()
  return performance.now() - startedAt
}

/** Below this number of milliseconds the CPU time of the system is too coarse. */
const leastMs = 12

/** CPU time of a step in milliseconds: the mean of as many runs as a measurement needs. */
function cpuMsOf(step: () => void): number {
  const startedAt = threadCpuMs()
  let runs = 0
  let tookMs = 0
  do {
    step()
    runs += 1
    tookMs = threadCpuMs() - startedAt
  } while (tookMs < leastMs && runs < 64)
  return tookMs / runs
}

const largeSize = 64 * 1024
const factor = 8
/**
 * Eight for linear time, 64 for quadratic time; caches make large inputs somewhat slower. With 128 KiB and a
 * growth of 22, the tests find the same steps in twice the time: those whose quadratic part is 2.7 times the
 * linear one at 128 KiB.
 */
const greatestGrowth = 16
/** A step below this time for this much input needs 0.26 s for a megabyte even if it is quadratic. */
const quickMs = 1

/**
 * Returns the factor by which a step's time grows for eight times as much input, if it is more than
 * proportional; otherwise undefined. `prepare` returns the step for an input of about the given number of
 * characters, or of the items that `size` counts.
 */
export function findExcessGrowth(
  prepare: (size: number) => () => void,
  size = largeSize,
): number | undefined {
  const large = prepare(size)
  // Wall-clock time includes other work of the machine: it is enough to show that a step is fast.
  const largeWallMs = wallMsOf(large)
  if (largeWallMs < quickMs) return undefined
  const small = prepare(Math.ceil(size / factor))
  // Other work makes a run longer, never shorter: the shorter of two is nearly the step alone.
  const smallWallMs = Math.min(wallMsOf(small), wallMsOf(small))
  if (largeWallMs <= greatestGrowth * smallWallMs) return undefined
  let growth = Infinity
  for (let attempt = 0; attempt < 4 && growth > greatestGrowth; attempt += 1) {
    const largeMs = cpuMsOf(large)
    if (largeMs < quickMs) return undefined
    growth = Math.min(growth, largeMs / cpuMsOf(small))
  }
  return growth > greatestGrowth ? growth : undefined
}
