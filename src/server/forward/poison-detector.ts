import { BoundedMap } from '#server/bounded-map.ts'
import { limits } from '#server/limits.ts'
import type { QueuedEnvelope } from '#server/store/upstreams/outbox.ts'
import type { PoisonCandidateState } from '#server/store/upstreams/upstreams.ts'

interface PoisonCandidate {
  failureCount: number
  /** Number of failures after each of which the upstream has accepted other envelopes. */
  roundCount: number
  acceptedBefore: number
}

/**
 * Distinguishes poison envelopes from outages of the upstream: an envelope that fails repeatedly while the
 * upstream accepts others is itself the cause, and must not delay the rest.
 */
export class PoisonDetector {
  private readonly candidates = new BoundedMap<number, PoisonCandidate>(limits.forwardPoisonCandidates)
  private acceptedCount = 0

  /** Records that the upstream has accepted an envelope, or finally rejected it. */
  noteAccepted(number: number): void {
    this.acceptedCount += 1
    this.candidates.delete(number)
  }

  /** Records a failure of the upstream on an envelope. Returns true if the envelope is poison. */
  noteFailure(number: number): boolean {
    const { acceptedCount } = this
    const known = this.candidates.get(number) ?? {
      failureCount: 0,
      roundCount: 0,
      acceptedBefore: acceptedCount,
    }
    const roundCount = known.roundCount + (acceptedCount > known.acceptedBefore ? 1 : 0)
    this.candidates.set(number, {
      failureCount: known.failureCount + 1,
      roundCount,
      acceptedBefore: acceptedCount,
    })
    return roundCount >= limits.forwardPoisonRounds
  }

  /** Adopts the state of another process, or from before a restart. */
  adopt(states: readonly PoisonCandidateState[] = []): void {
    this.candidates.clear()
    this.acceptedCount = 0
    for (const { number, failureCount, roundCount, hasAcceptedOthers } of states)
      this.candidates.set(number, { failureCount, roundCount, acceptedBefore: hasAcceptedOthers ? -1 : 0 })
  }

  /** The state for the store. */
  toState(): PoisonCandidateState[] {
    return [...this.candidates].map(([number, { failureCount, roundCount, acceptedBefore }]) => ({
      number,
      failureCount,
      roundCount,
      hasAcceptedOthers: this.acceptedCount > acceptedBefore,
    }))
  }

  /** Removes an envelope that is deleted. */
  forget(number: number): void {
    this.candidates.delete(number)
  }

  /**
   * The index of the envelope with which to test whether the upstream works again: the oldest, until it has
   * failed `limits.forwardTriesOfOldest` times; then a random one of those with the fewest failures, because
   * poison envelopes often occur in succession. `random`: from 0 to below 1.
   */
  indexOfProbe(queued: readonly Pick<QueuedEnvelope, 'number'>[], random: number): number {
    const counts = queued.map(({ number }) => this.candidates.get(number)?.failureCount ?? 0)
    if ((counts[0] ?? 0) < limits.forwardTriesOfOldest) return 0
    const fewest = Math.min(...counts)
    const indexes = counts.flatMap((count, index) => (count === fewest ? index : []))
    return indexes[Math.floor(random * indexes.length)] ?? 0
  }
}
