import { limits } from '#server/limits.ts'
import { minuteMs } from '#time/time-steps.ts'

/** A problem that may become an event. */
interface FoundFingerprint {
  projectId: number
  fingerprint: string
  /** The id of the event that it would create. */
  eventId: string
  /** Unix milliseconds. */
  at: number
}

/**
 * Limits how many performance problems of a project become events: each at most once a minute, and
 * `limits.problemsPerMinute` different ones, so that a flood of traces does not become a flood of events. Per
 * process.
 */
export class ProblemPace {
  private minute = 0
  private readonly taken = new Map<number, Map<string, string>>()

  /**
   * True if the problem may become an event. Also true for a repetition of the same event: an envelope whose
   * processing was interrupted is processed again.
   */
  take({ projectId, fingerprint, eventId, at }: FoundFingerprint): boolean {
    const minute = Math.floor(at / minuteMs)
    if (minute !== this.minute) {
      this.minute = minute
      this.taken.clear()
    }
    let fingerprints = this.taken.get(projectId)
    if (fingerprints === undefined) {
      fingerprints = new Map()
      this.taken.set(projectId, fingerprints)
    }
    const taken = fingerprints.get(fingerprint)
    if (taken !== undefined) return taken === eventId
    if (fingerprints.size >= limits.problemsPerMinute) return false
    fingerprints.set(fingerprint, eventId)
    return true
  }
}
