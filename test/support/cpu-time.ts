/**
 * Milliseconds of the processor that this thread has used so far. What else the machine does hardly shows in
 * it.
 */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function wallMsOf(step: () => void): number {
  const startedAt = performance.now()
  step()
  return performance.now() - startedAt
}

/** Below this number of milliseconds the CPU time of the system is too coarse. */
const leastMs = 12

/** Milliseconds of the processor that a step takes: the mean of as many runs as it takes to measure it. */
function cpuMsOf(step: () => void): number {
  const startedAt = cpuMs()
  let runs = 0
  let tookMs = 0
  do {
    step()
    runs += 1
    tookMs = cpuMs() - startedAt
  } while (tookMs < leastMs && runs < 64)
  return tookMs / runs
}

/** The least of three measurements: collecting garbage, say, makes a single one long. */
export function leastCpuMsOf(step: () => void): number {
  return Math.min(cpuMsOf(step), cpuMsOf(step), cpuMsOf(step))
}

const largeCharacters = 128 * 1024
const factor = 8
/**
 * Eight where time grows with the input, 64 where it grows with its square; caches make large inputs somewhat
 * slower.
 */
const greatestGrowth = 22
/** A step that needs no longer for this much input needs 0.2 s for a megabyte even if it is quadratic. */
const quickMs = 4

/**
 * Returns how many times as long a step takes for eight times as much input, if that is more than
 * proportional; otherwise undefined. `prepare` makes the step for an input of about the given number of
 * characters.
 */
export function findExcessGrowth(prepare: (characters: number) => () => void): number | undefined {
  const large = prepare(largeCharacters)
  // Wall-clock time includes other work of the machine: it is enough to show that a step is quick.
  const largeWallMs = wallMsOf(large)
  if (largeWallMs < quickMs) return undefined
  const small = prepare(largeCharacters / factor)
  // Other work makes a run longer, never shorter: the shortest of some is nearly the step alone.
  const smallWallMs = Math.min(wallMsOf(small), wallMsOf(small), wallMsOf(small))
  if (largeWallMs <= greatestGrowth * smallWallMs) return undefined
  let growth = Infinity
  for (let attempt = 0; attempt < 4 && growth > greatestGrowth; attempt += 1) {
    const largeMs = cpuMsOf(large)
    if (largeMs < quickMs) return undefined
    growth = Math.min(growth, largeMs / cpuMsOf(small))
  }
  return growth > greatestGrowth ? growth : undefined
}
