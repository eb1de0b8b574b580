import { limits } from '#server/limits.ts'

/** Calls a function later, once for all requests until then. Its timers do not keep the process alive. */
export class WakeUp {
  private readonly wake: () => void
  private deferredTimer: NodeJS.Timeout | undefined
  private retryTimer: NodeJS.Timeout | undefined
  private isTickAwaited = false
  private isStopped = false

  constructor(wake: () => void) {
    this.wake = wake
  }

  /** True if it wakes within `limits.forwardWakeMs`. */
  get isSoon(): boolean {
    return this.isTickAwaited || this.deferredTimer !== undefined
  }

  /** At the end of this tick of the event loop. */
  atEndOfTick(): void {
    if (this.isTickAwaited) return
    this.isTickAwaited = true
    setImmediate(() => {
      this.isTickAwaited = false
      this.wake()
    })
  }

  /** After `limits.forwardWakeMs`. */
  deferred(): void {
    if (this.isStopped || this.deferredTimer !== undefined) return
    this.deferredTimer = setTimeout(() => {
      this.deferredTimer = undefined
      this.wake()
    }, limits.forwardWakeMs).unref()
  }

  /** After a delay, which replaces the previous one; undefined for never. */
  after(waitMs: number | undefined): void {
    clearTimeout(this.retryTimer)
    if (this.isStopped || waitMs === undefined) return
    this.retryTimer = setTimeout(() => this.wake(), waitMs).unref()
  }

  stop(): void {
    this.isStopped = true
    clearTimeout(this.retryTimer)
  }
}
