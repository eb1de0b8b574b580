import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '#server/limits.ts'
import { isAnswering, SilentServerError } from './server-probe.ts'

interface Awaited {
  sentAt: number
  reject: (error: Error) => void
}

/**
 * Watches whether a server answers. A server that is suspended, or behind a firewall that drops packets, ends
 * no connection: without it each request would wait for `limits.postgresAnswerMs`.
 *
 * While the server is silent, requests fail at once, until a probe is answered.
 */
export class ServerWatch {
  private readonly url: string
  private readonly awaited = new Set<Awaited>()
  private timer: NodeJS.Timeout | undefined
  private isSilent = false
  private isStopped = false

  constructor(url: string) {
    this.url = url
  }

  /** Throws a `SilentServerError` while the server does not answer. */
  requireAnswers(): void {
    if (this.isSilent) throw new SilentServerError()
  }

  /** Call when a request has found that the server does not answer. */
  noteSilence(): void {
    if (this.isSilent || this.isStopped) return
    this.isSilent = true
    for (const { reject } of this.awaited) reject(new SilentServerError())
    this.awaited.clear()
    void this.awaitAnswer()
  }

  /** Resolves with the result of a request; rejects with a `SilentServerError` if the server is silent. */
  async during<Result>(begin: () => Promise<Result>): Promise<Result> {
    this.requireAnswers()
    const { promise: silence, reject } = Promise.withResolvers<never>()
    const awaited = { sentAt: performance.now(), reject }
    this.awaited.add(awaited)
    this.watch(limits.postgresProbeAfterMs)
    try {
      return await Promise.race([begin(), silence])
    } finally {
      this.awaited.delete(awaited)
    }
  }

  stop(): void {
    this.isStopped = true
    clearTimeout(this.timer)
  }

  private watch(delayMs: number): void {
    this.timer ??= setTimeout(() => void this.look(), delayMs).unref()
  }

  private async look(): Promise<void> {
    // What has arrived while this thread was busy is processed first.
    await new Promise(setImmediate)
    const isLate = this.awaited
      .values()
      .some(({ sentAt }) => performance.now() - sentAt >= limits.postgresProbeAfterMs)
    if (isLate && !(await isAnswering(this.url, limits.postgresProbeMs))) this.noteSilence()
    this.timer = undefined
    if (this.awaited.size > 0 && !this.isStopped)
      this.watch(isLate ? limits.postgresProbeMs : limits.postgresProbeAfterMs)
  }

  private async awaitAnswer(): Promise<void> {
    while (!this.isStopped) {
      await sleep(limits.postgresProbeEveryMs, undefined, { ref: false })
      if (this.isStopped || (await isAnswering(this.url, limits.postgresProbeMs))) break
    }
    this.isSilent = false
  }
}
