/** How an attempt to send an envelope ended: what came of it is committed, or it is to be sent again. */
export type DepartureEnd = 'ended' | 'again'

type Departure = 'under way' | 'answered' | DepartureEnd

/**
 * The envelopes of one upstream that have been started, in that order. One that has ended keeps its place
 * until all before it have: the places are the bound on how many overtake one, and on how many go up again
 * after a kill.
 */
export class Departures {
  private readonly departures = new Map<number, Departure>()

  get count(): number {
    return this.departures.size
  }

  has(number: number): boolean {
    return this.departures.has(number)
  }

  /** Notes that an envelope goes up. */
  start(number: number): void {
    this.departures.set(number, 'under way')
  }

  /** Notes that the upstream has taken or refused it for good, which is not committed yet. */
  noteAnswer(number: number): void {
    this.departures.set(number, 'answered')
  }

  /** Notes its end. True when one that is to be sent again has left: it is the oldest that waits. */
  end(number: number, end: DepartureEnd): boolean {
    this.departures.set(number, end)
    let isAnyAgain = false
    for (const [each, departure] of this.departures) {
      if (departure === 'under way' || departure === 'answered') break
      this.departures.delete(each)
      if (departure === 'again') isAnyAgain = true
    }
    return isAnyAgain
  }

  /**
   * How many may be started: `atOnce` counts from the oldest that has no answer yet, `places` all of them.
   */
  countFree({ atOnce, places }: { atOnce: number; places: number }): number {
    let sinceOldest = 0
    for (const departure of this.departures.values())
      if (sinceOldest > 0 || departure === 'under way') sinceOldest += 1
    return Math.min(atOnce - sinceOldest, places - this.departures.size)
  }
}
