import { OperatorError } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import type { Log } from '#server/log.ts'
import { recordImportJob } from '#server/store/imports/job.ts'
import type { Store } from '#server/store/store.ts'
import type { ImportJob } from './import-job.ts'
import type { ImportSource } from './plan.ts'
import { SourceMissing } from './sources/source-client.ts'

/**
 * A job that this process is running. `changedAt` is the time of its last change in the store: if it differs,
 * a user has discarded the job, in any process, or another process has continued it.
 */
export class JobRun {
  job: ImportJob
  source: ImportSource | undefined
  private readonly store: Store
  private readonly stopping = new AbortController()
  private changedAt: number
  private saving = Promise.resolve()
  private savedAt = 0
  private readonly beat: NodeJS.Timeout

  constructor(store: Store, job: ImportJob, changedAt: number) {
    this.store = store
    this.job = job
    this.changedAt = changedAt
    // Shows that the process is alive, even during a long pause that the tracker has requested.
    this.beat = setInterval(() => void this.keepAlive(), limits.importLateMs / 3).unref()
  }

  private async keepAlive(): Promise<void> {
    try {
      await this.save()
    } catch {
      // A failed write is ignored: the next one may succeed.
    }
  }

  /** Aborted when the job has to stop. */
  get signal(): AbortSignal {
    return this.stopping.signal
  }

  /** Ends the work of this process at its next step, and a pause or a request at once. */
  stop(): void {
    this.stopping.abort()
  }

  private save(): Promise<void> {
    this.savedAt = performance.now()
    const saved = this.saving.then(() => this.write())
    this.saving = saved.catch(() => {})
    return saved
  }

  private async write(): Promise<void> {
    const document = JSON.stringify(this.job)
    const changedAt = await recordImportJob(this.store, { document, seenAt: this.changedAt })
    if (changedAt === undefined) this.stop()
    else this.changedAt = changedAt
  }

  /** Records the progress, at most once a second. Throws when the job has to stop. */
  async show(change: Partial<ImportJob>): Promise<void> {
    this.job = { ...this.job, ...change }
    this.signal.throwIfAborted()
    if (performance.now() - this.savedAt >= limits.importProgressMs) await this.save()
  }

  async finish(change: Partial<ImportJob>): Promise<void> {
    this.job = { ...this.job, ...change }
    await this.save()
  }

  async fail(error: unknown, log: Log): Promise<void> {
    const isStopped = this.signal.aborted
    const isKnown = error instanceof OperatorError || error instanceof SourceMissing
    if (!isKnown && !isStopped) log.error({ err: error }, 'an import failed')
    const failedStep = this.job.state === 'reading' ? 'reading' : 'running'
    const problem = isStopped
      ? 'The server was stopped.'
      : isKnown
        ? error.message
        : 'An unexpected error: see the server’s log.'
    try {
      await this.finish({ state: 'failed', failedStep, problem })
    } catch {
      // The store logs its own unavailability, and the job soon counts as interrupted.
    }
  }

  end(): void {
    clearInterval(this.beat)
  }
}
