import { OperatorError } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import type { Log } from '#server/log.ts'
import { recordImportJob } from '#server/store/imports/job.ts'
import type { Store } from '#server/store/store.ts'
import type { ImportJob } from './import-job.ts'
import type { ImportSource } from './plan.ts'
import { SourceMissing } from './sources/source-client.ts'

/** The process is stopping. */
class StoppedError extends Error {}

/** A job that this process is running. */
export class JobRun {
  job: ImportJob
  source: ImportSource | undefined
  private readonly store: Store
  private readonly isStopping: () => boolean
  private savedAt = 0
  private readonly beat: NodeJS.Timeout

  constructor(store: Store, job: ImportJob, isStopping: () => boolean) {
    this.store = store
    this.job = job
    this.isStopping = isStopping
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

  private async save(): Promise<void> {
    this.savedAt = performance.now()
    await recordImportJob(this.store, JSON.stringify(this.job))
  }

  /** Records the progress, at most once a second. Throws when the process is stopping. */
  async show(change: Partial<ImportJob>): Promise<void> {
    this.job = { ...this.job, ...change }
    if (this.isStopping()) throw new StoppedError()
    if (performance.now() - this.savedAt >= limits.importProgressMs) await this.save()
  }

  async finish(change: Partial<ImportJob>): Promise<void> {
    this.job = { ...this.job, ...change }
    await this.save()
  }

  async fail(error: unknown, log: Log): Promise<void> {
    const isKnown = error instanceof OperatorError || error instanceof SourceMissing
    if (!isKnown && !(error instanceof StoppedError)) log.error({ err: error }, 'an import failed')
    const failedStep = this.job.state === 'reading' ? 'reading' : 'running'
    const problem = isKnown
      ? error.message
      : error instanceof StoppedError
        ? 'The server was stopped.'
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
