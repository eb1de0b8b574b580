import { limits } from '#server/limits.ts'
import { minuteMs } from '#time/time-steps.ts'

/** A problem that may become an event. */
interface FoundFingerprint {
  projectId: number
  fingerprint: string
  /** Of the event that it would be. */
  eventId: string
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
  private readonly taken = new Map<number, Map<string, string>>()

  /**
   * True if the problem may become an event. The same event may again: an envelope whose processing was
   * interrupted is processed once more.
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
