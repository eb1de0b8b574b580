import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '#server/limits.ts'
import { probeServer, SilentServerError, toSilence } from './server-probe.ts'

interface Awaited {
  sentAt: number
  reject: (error: Error) => void
}

/**
 * Detects a server that does not answer. A server that is suspended, or behind a firewall that drops packets,
 * closes no connection: each request would wait for `limits.postgresAnswerMs`.
 *
 * While the server is silent, requests fail immediately, until a probe is answered.
 */
export class ServerWatch {
  private readonly url: string
  private readonly awaited = new Set<Awaited>()
  private timer: NodeJS.Timeout | undefined
  /** While the server does not answer: what its probe has found. */
  private silence: string | undefined
  /** When a request was answered last, by the monotonic clock. */
  private answeredAt = Number.NEGATIVE_INFINITY
  private isStopped = false

  constructor(url: string) {
    this.url = url
  }

  /** Throws a `SilentServerError` while the server does not answer. */
  requireAnswers(): void {
    if (this.silence !== undefined) throw new SilentServerError(this.silence)
  }

  /** Call when a request has found that the server does not answer. */
  noteSilence({ message }: SilentServerError): void {
    if (this.silence !== undefined || this.isStopped) return
    this.silence = message
    for (const { reject } of this.awaited) reject(new SilentServerError(message))
    this.awaited.clear()
    void this.awaitAnswer()
  }

  /** Resolves with the result of a request; rejects with a `SilentServerError` if the server is silent. */
  async during<Result>(begin: () => Promise<Result>): Promise<Result> {
    this.requireAnswers()
    const { promise: silenced, reject } = Promise.withResolvers<never>()
    const awaited = { sentAt: performance.now(), reject }
    this.awaited.add(awaited)
    this.watch(limits.postgresProbeAfterMs)
    try {
      const result = await Promise.race([begin(), silenced])
      this.answeredAt = performance.now()
      return result
    } finally {
      this.awaited.delete(awaited)
    }
  }

  stop(): void {
    this.isStopped = true
    clearTimeout(this.timer)
  }

  private watch(delayMs: number): void {
    this.timer ??= setTimeout(() => void this.checkAnswers(), delayMs).unref()
  }

  private async checkAnswers(): Promise<void> {
    // I/O that arrived while this thread was busy is processed first.
    await new Promise(setImmediate)
    const isLate = this.awaited
      .values()
      .some(({ sentAt }) => performance.now() - sentAt >= limits.postgresProbeAfterMs)
    if (isLate) await this.probe()
    this.timer = undefined
    if (this.awaited.size > 0 && !this.isStopped)
      this.watch(isLate ? limits.postgresProbeMs : limits.postgresProbeAfterMs)
  }

  private async probe(): Promise<void> {
    const beganAt = performance.now()
    const result = await probeServer(this.url, limits.postgresProbeMs)
    // A pooler may let others wait longer than the probe does: an answer to any of them is one of the server.
    if (result !== 'answers' && this.answeredAt < beganAt) this.noteSilence(toSilence(result))
  }

  private async awaitAnswer(): Promise<void> {
    while (!this.isStopped) {
      await sleep(limits.postgresProbeEveryMs, undefined, { ref: false })
      if (this.isStopped || (await probeServer(this.url, limits.postgresProbeMs)) === 'answers') break
    }
    this.silence = undefined
  }
}
