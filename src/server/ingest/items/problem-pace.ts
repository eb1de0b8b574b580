import { limits } from '#server/limits.ts'
import { minuteMs } from '#time/time-steps.ts'

/** A problem that wants to become an event. */
interface FoundFingerprint {
  projectId: number
  fingerprint: string
  /** Unix milliseconds. */
  at: number
}

/**
 * How many performance problems of a project become events: each at most once a minute, and
 * `limits.problemsPerMinute` different ones, since a flood of traces must not become one of events. By
 * process.
 */
export class ProblemPace {
  private minute = 0
  private readonly taken = new Map<number, Set<string>>()

  /** True if the problem may become an event, which it then does. */
  take({ projectId, fingerprint, at }: FoundFingerprint): boolean {
    const minute = Math.floor(at / minuteMs)
    if (minute !== this.minute) {
      this.minute = minute
      this.taken.clear()
    }
    let fingerprints = this.taken.get(projectId)
    if (fingerprints === undefined) {
      fingerprints = new Set()
      this.taken.set(projectId, fingerprints)
    }
    if (fingerprints.size >= limits.problemsPerMinute || fingerprints.has(fingerprint)) return false
    fingerprints.add(fingerprint)
    return true
  }
}
