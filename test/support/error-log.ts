import type { Log } from '#server/log.ts'

const ignore = () => {}

/** A log that keeps the facts of its errors in `errors`, and ignores everything else. */
export function createErrorLog(): { log: Log; errors: object[] } {
  const errors: object[] = []
  return {
    log: { debug: ignore, info: ignore, warn: ignore, error: (facts) => void errors.push(facts) },
    errors,
  }
}
