/**
 * Milliseconds of the processor that this thread has used so far. What else the machine does hardly shows in
 * it.
 */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Below so many milliseconds the system's count is too coarse. */
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
/** What takes no longer for so much input takes 0.2 s for a megabyte even where it grows with the square. */
const quickMs = 4

/**
 * Answers how many times as long a step takes for eight times as much input, when that is more than
 * proportion explains; undefined when all is well. `prepare` makes the step for an input of about so many
 * characters.
 */
export function findExcessGrowth(prepare: (characters: number) => () => void): number | undefined {
  const large = prepare(largeCharacters)
  // By the clock, which counts what else the machine does too: enough to tell that a step is quick.
  const startedAt = performance.now()
  large()
  if (performance.now() - startedAt < quickMs) return undefined
  const small = prepare(largeCharacters / factor)
  let growth = Infinity
  for (let attempt = 0; attempt < 4 && growth > greatestGrowth; attempt += 1) {
    const largeMs = cpuMsOf(large)
    if (largeMs < quickMs) return undefined
    growth = Math.min(growth, largeMs / cpuMsOf(small))
  }
  return growth > greatestGrowth ? growth : undefined
}
