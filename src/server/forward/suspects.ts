import { BoundedMap } from '#server/bounded-map.ts'
import { limits } from '#server/limits.ts'
import type { QueuedEnvelope } from '#server/store/upstreams/outbox.ts'
import type { SuspectState } from '#server/store/upstreams/upstreams.ts'

interface Suspect {
  failureCount: number
  /** How often it failed after others had been taken since it failed last. */
  roundCount: number
  takenBefore: number
}

/**
 * The envelopes on which an upstream failed, to tell one that it cannot digest from an upstream that is down:
 * what fails again and again while others are taken is to blame itself, and must not hold up the rest.
 */
export class Suspects {
  private readonly suspects = new BoundedMap<number, Suspect>(limits.forwardSuspects)
  private takenCount = 0

  /** Notes that the upstream has taken an envelope, or refused it for good. */
  noteTaken(number: number): void {
    this.takenCount += 1
    this.suspects.delete(number)
  }

  /** Notes that it failed on one; true when that is to be given up. */
  noteFailure(number: number): boolean {
    const { takenCount } = this
    const known = this.suspects.get(number) ?? { failureCount: 0, roundCount: 0, takenBefore: takenCount }
    const roundCount = known.roundCount + (takenCount > known.takenBefore ? 1 : 0)
    this.suspects.set(number, {
      failureCount: known.failureCount + 1,
      roundCount,
      takenBefore: takenCount,
    })
    return roundCount >= limits.forwardSuspectRounds
  }

  /** Takes over what was known before, by another process or before a restart. */
  adopt(states: readonly SuspectState[] = []): void {
    this.suspects.clear()
    this.takenCount = 0
    for (const { number, failureCount, roundCount, hasSeenOthers } of states)
      this.suspects.set(number, { failureCount, roundCount, takenBefore: hasSeenOthers ? -1 : 0 })
  }

  /** What is to be left in the store. */
  toState(): SuspectState[] {
    return [...this.suspects].map(([number, { failureCount, roundCount, takenBefore }]) => ({
      number,
      failureCount,
      roundCount,
      hasSeenOthers: this.takenCount > takenBefore,
    }))
  }

  /** Says nothing more about an envelope that is gone. */
  forget(number: number): void {
    this.suspects.delete(number)
  }

  /**
   * The place, among envelopes that are next, of the one to ask with whether the upstream is well again: the
   * oldest, until it has failed `limits.forwardTriesOfOldest` times; then any of those that failed least,
   * since what it cannot digest often comes in a row. `random`: 0 to below 1.
   */
  placeOfProbe(queued: readonly Pick<QueuedEnvelope, 'number'>[], random: number): number {
    const counts = queued.map(({ number }) => this.suspects.get(number)?.failureCount ?? 0)
    if ((counts[0] ?? 0) < limits.forwardTriesOfOldest) return 0
    const fewest = Math.min(...counts)
    const places = counts.flatMap((count, place) => (count === fewest ? place : []))
    return places[Math.floor(random * places.length)] ?? 0
  }
}
