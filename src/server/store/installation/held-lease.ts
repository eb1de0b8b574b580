import { limits } from '#server/limits.ts'
import type { Store } from '#server/store/store.ts'
import { releaseLease, takeLease } from './lease.ts'

/** A lease that a process holds longer than for one piece of work. */
export class HeldLease {
  private readonly store: Store
  private readonly name: string
  private readonly holder: string
  private heldUntilMs = 0

  /** `holder` identifies this process. */
  constructor(store: Store, name: string, holder: string) {
    this.store = store
    this.name = name
    this.holder = holder
  }

  isHeld(): boolean {
    return performance.now() < this.heldUntilMs
  }

  /** Acquires or renews the lease. Returns false if another process holds it. */
  async hold(): Promise<boolean> {
    const nowMs = performance.now()
    if (nowMs < this.heldUntilMs - limits.leaseMs / 2) return true
    const isTaken = await takeLease(this.store, this.name, this.holder)
    this.heldUntilMs = isTaken ? nowMs + limits.leaseMs : 0
    return isTaken
  }

  async release(): Promise<void> {
    if (!this.isHeld()) return
    this.heldUntilMs = 0
    // A lease that cannot be released expires.
    await releaseLease(this.store, this.name, this.holder).catch(() => undefined)
  }
}
