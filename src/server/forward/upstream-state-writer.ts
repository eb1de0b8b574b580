import { limits } from '#server/limits.ts'
import type { Committer } from '#server/store/ingest/committer.ts'
import { parseUpstreamState, type Upstream, type UpstreamState } from '#server/store/upstreams/upstreams.ts'
import type { Verdict } from './verdict.ts'

/** Stores the state of an upstream for a restart, other processes and the console. */
export class UpstreamStateWriter {
  private readonly committer: Committer
  private readonly collect: () => UpstreamState
  private last: UpstreamState = {}
  private knownText = ''
  private writtenAtMs = Number.NEGATIVE_INFINITY
  private isChanged = false

  /** `collect` returns the state of the sender's parts. */
  constructor(committer: Committer, collect: () => UpstreamState) {
    this.committer = committer
    this.collect = collect
  }

  /**
   * Adopts the state in the store. Returns true if it differs from the last one: its times are by the wall
   * clock, and would shift with it if adopted repeatedly.
   */
  adopt(state: UpstreamState): boolean {
    const text = JSON.stringify(state)
    if (text === this.knownText) return false
    this.knownText = text
    this.last = state
    return true
  }

  noteAnswer({ result, answer }: Verdict, wallMs: number): void {
    this.last = {
      ...this.last,
      answeredAt: wallMs,
      answer,
      ...(result === 'delivered' && { deliveredAt: wallMs }),
    }
    this.isChanged = true
  }

  noteChange(): void {
    this.isChanged = true
  }

  /** Writes a changed state, at most once per `limits.forwardStateMs`. */
  async writeWhenDue(upstream: Upstream, monotonicMs: number): Promise<void> {
    if (!this.isChanged || monotonicMs - this.writtenAtMs < limits.forwardStateMs) return
    this.writtenAtMs = monotonicMs
    await this.write(upstream)
  }

  /** Writes a changed state. After a failure, a later write retries. */
  async write({ projectId, upstreamId }: Upstream): Promise<void> {
    if (!this.isChanged) return
    this.isChanged = false
    const { deliveredAt, answeredAt, answer } = this.last
    const state = JSON.stringify({
      ...this.collect(),
      ...(deliveredAt !== undefined && { deliveredAt }),
      ...(answeredAt !== undefined && { answeredAt }),
      ...(answer !== undefined && { answer }),
    })
    this.knownText = JSON.stringify(parseUpstreamState(state))
    const upstreamStates = [{ projectId, upstreamId, state }]
    try {
      await this.committer.commit({ events: [], outcomes: [], deadLetters: [], upstreamStates }, 'deferred')
    } catch {
      this.isChanged = true
    }
  }
}
