import { BoundedMap } from '#server/bounded-map.ts'
import { limits } from '#server/limits.ts'
import type { QueuedEnvelope } from '#server/store/upstreams/outbox.ts'
import type { SuspectState } from '#server/store/upstreams/upstreams.ts'

interface Suspect {
  failureCount: number
  /** Failures before which the upstream had accepted other envelopes. */
  roundCount: number
  acceptedBefore: number
}

/**
 * Separates poison envelopes from outages of the upstream: an envelope that fails repeatedly while the
 * upstream accepts others is the cause itself, and must not delay the rest.
 */
export class PoisonDetector {
  private readonly suspects = new BoundedMap<number, Suspect>(limits.forwardSuspects)
  private acceptedCount = 0

  /** Notes that the upstream has accepted an envelope, or finally rejected it. */
  noteAccepted(number: number): void {
    this.acceptedCount += 1
    this.suspects.delete(number)
  }

  /** Notes a failure of the upstream on an envelope. Returns true if the envelope is poison. */
  noteFailure(number: number): boolean {
    const { acceptedCount } = this
    const known = this.suspects.get(number) ?? {
      failureCount: 0,
      roundCount: 0,
      acceptedBefore: acceptedCount,
    }
    const roundCount = known.roundCount + (acceptedCount > known.acceptedBefore ? 1 : 0)
    this.suspects.set(number, {
      failureCount: known.failureCount + 1,
      roundCount,
      acceptedBefore: acceptedCount,
    })
    return roundCount >= limits.forwardSuspectRounds
  }

  /** Adopts the state of another process, or from before a restart. */
  adopt(states: readonly SuspectState[] = []): void {
    this.suspects.clear()
    this.acceptedCount = 0
    for (const { number, failureCount, roundCount, hasSeenOthers } of states)
      this.suspects.set(number, { failureCount, roundCount, acceptedBefore: hasSeenOthers ? -1 : 0 })
  }

  /** The state for the store. */
  toState(): SuspectState[] {
    return [...this.suspects].map(([number, { failureCount, roundCount, acceptedBefore }]) => ({
      number,
      failureCount,
      roundCount,
      hasSeenOthers: this.acceptedCount > acceptedBefore,
    }))
  }

  /** Forgets an envelope that is deleted. */
  forget(number: number): void {
    this.suspects.delete(number)
  }

  /**
   * The index of the envelope that probes whether the upstream works again: the oldest, until it has failed
   * `limits.forwardTriesOfOldest` times; then any of those with the fewest failures, since poison envelopes
   * often come in a row. `random`: 0 to below 1.
   */
  indexOfProbe(queued: readonly Pick<QueuedEnvelope, 'number'>[], random: number): number {
    const counts = queued.map(({ number }) => this.suspects.get(number)?.failureCount ?? 0)
    if ((counts[0] ?? 0) < limits.forwardTriesOfOldest) return 0
    const fewest = Math.min(...counts)
    const indexes = counts.flatMap((count, index) => (count === fewest ? index : []))
    return indexes[Math.floor(random * indexes.length)] ?? 0
  }
}
