/** How an attempt to send an envelope ended: its result is committed, or the envelope is sent again. */
export type SendResult = 'ended' | 'retry'

type InFlightState = 'under way' | 'answered' | SendResult

/**
 * The envelopes of one upstream in flight, in the order of their start. An envelope that has ended remains in
 * the window until all before it have ended, so the size of the window limits how many envelopes overtake
 * one, and how many are sent a second time after a kill.
 */
export class InFlightWindow {
  private readonly states = new Map<number, InFlightState>()

  get count(): number {
    return this.states.size
  }

  has(number: number): boolean {
    return this.states.has(number)
  }

  /** Records that an envelope is being sent. */
  start(number: number): void {
    this.states.set(number, 'under way')
  }

  /** Records an answer that is not committed yet: accepted or finally rejected. */
  noteAnswer(number: number): void {
    this.states.set(number, 'answered')
  }

  /**
   * Records the end of an attempt. Returns true if an envelope to be sent again has left the window: it is
   * now the oldest in the queue.
   */
  end(number: number, result: SendResult): boolean {
    this.states.set(number, result)
    let isAnyRetried = false
    for (const [each, state] of this.states) {
      if (state === 'under way' || state === 'answered') break
      this.states.delete(each)
      if (state === 'retry') isAnyRetried = true
    }
    return isAnyRetried
  }

  /**
   * How many more attempts can start: `atOnce` limits those since the oldest without an answer, `size` all
   * in the window.
   */
  countFree({ atOnce, size }: { atOnce: number; size: number }): number {
    let sinceOldest = 0
    for (const state of this.states.values()) if (sinceOldest > 0 || state === 'under way') sinceOldest += 1
    return Math.min(atOnce - sinceOldest, size - this.states.size)
  }
}
