import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { createDestinationRule } from '#server/alerts/channels/http/destination-rule.ts'
import { createSecretBox, type SecretBox } from '#server/alerts/channels/secret-box.ts'
import type { Env } from '#server/env.ts'
import { OperatorError } from '#server/errors.ts'
import { UpstreamConnections } from '#server/forward/connection.ts'
import { limits } from '#server/limits.ts'
import type { Log } from '#server/log.ts'
import { deleteImportJob, findImportJob, recordImportJob } from '#server/store/imports/job.ts'
import type { Committer } from '#server/store/ingest/committer.ts'
import { readInstallationSecret } from '#server/store/installation/secret.ts'
import type { Store } from '#server/store/store.ts'
import { applyPlan, type ImportedProject } from './apply-plan.ts'
import { checkPlan } from './check-plan.ts'
import { parseImportJob, type ImportJob, type ImportJobSource } from './import-job.ts'
import { importProject } from './import-project.ts'
import { JobRun } from './job-run.ts'
import { openSource } from './open-source.ts'
import { parsePlan } from './parse-plan.ts'
import type { ImportPlan } from './plan.ts'
import { toCountsText, toImportReport } from './report.ts'

/** The latest job and the state of its process. */
export interface SeenImportJob {
  job: ImportJob
  /** True if the job is in progress but its process has ended. */
  isInterrupted: boolean
}

/** A new job: its source, and the token of a tracker or the contents of a backup. */
export interface NewImportJob {
  source: Omit<ImportJobSource, 'sealedToken'>
  token?: string
  plan?: ImportPlan
  addsOwners: boolean
}

export interface ImportRunnerOptions {
  store: Store
  committer: Committer
  log: Log
  env: Pick<Env, 'secret' | 'privateDestinations'>
  /** The origin in DSNs. */
  origin: () => string
  /** Called when projects were added. */
  noteImport: () => Promise<unknown>
}

/**
 * Runs imports that are started in the console, one at a time, in the background of this process. Opens
 * nothing before.
 */
export class ImportRunner {
  private readonly options: ImportRunnerOptions
  private readonly connections: UpstreamConnections
  private current: { run: JobRun; work: Promise<void> } | undefined

  constructor(options: ImportRunnerOptions) {
    this.options = options
    this.connections = new UpstreamConnections({
      rule: createDestinationRule(options.env.privateDestinations),
    })
  }

  /** The latest job. */
  async find(): Promise<SeenImportJob | undefined> {
    return (await this.look()).found
  }

  /**
   * Reads the source and reports its contents without changing anything else. Returns false while another job
   * is in progress.
   */
  async begin({ source, token = '', plan, addsOwners }: NewImportJob): Promise<boolean> {
    const { found, seenAt } = await this.look()
    if (!this.isFree(found)) return false
    const id = randomUUID()
    const sealedToken = token === '' ? '' : (await this.openBox()).seal(token, `import ${id}`)
    const empty = { report: '', share: 0, progress: '', problem: '', results: [] }
    const job = {
      ...empty,
      id,
      source: { ...source, sealedToken },
      state: 'reading',
      plan,
      addsOwners,
    } as const
    return this.launch({ ...job, results: [] }, { step: readSource, seenAt })
  }

  /** Imports the reported contents, or continues. Returns false if there is nothing to import. */
  async apply(): Promise<boolean> {
    const { found, seenAt } = await this.look()
    if (found === undefined || found.job.state === 'done' || !this.isFree(found)) return false
    const { job, isInterrupted } = found
    const readsAgain =
      job.state === 'failed' ? job.failedStep === 'reading' : isInterrupted && job.state === 'reading'
    return readsAgain
      ? this.launch({ ...job, state: 'reading', problem: '' }, { step: readSource, seenAt })
      : this.launch({ ...job, state: 'running', problem: '', results: [] }, { step: importAll, seenAt })
  }

  /** Deletes the job with its token, and stops it. Imported data remains. */
  async discard(): Promise<void> {
    await deleteImportJob(this.options.store)
    await this.stopWork()
  }

  /** Stops the work of this process. */
  async stop(): Promise<void> {
    this.connections.close()
    await this.stopWork()
  }

  private async stopWork(): Promise<void> {
    this.current?.run.stop()
    await Promise.race([this.current?.work, pause(limits.importStopMs, undefined, { ref: false })])
  }

  /** Returns false if another process has begun a job since this one has looked. */
  private async launch(
    job: ImportJob,
    { step, seenAt }: { step: JobStep; seenAt: number | undefined },
  ): Promise<boolean> {
    const { store } = this.options
    const changedAt = await recordImportJob(store, { document: JSON.stringify(job), seenAt })
    if (changedAt === undefined) return false
    const run = new JobRun(store, job, changedAt)
    this.current = { run, work: this.workOn(run, step) }
    return true
  }

  private async workOn(run: JobRun, step: JobStep): Promise<void> {
    try {
      run.source = openSource(run, { connections: this.connections, box: await this.openBox() })
      await step(this.options, run)
    } catch (error) {
      await run.fail(error, this.options.log)
    } finally {
      run.end()
      this.current = undefined
    }
  }

  /** The latest job, and when it was changed, also if it is of another version. */
  private async look(): Promise<{ found?: SeenImportJob; seenAt: number | undefined }> {
    const { store } = this.options
    const row = await findImportJob(store.db)
    const job = row && parseImportJob(row.document)
    if (row === undefined || job === undefined) return { seenAt: row?.updatedAt }
    const isLate = store.clock() - row.updatedAt > limits.importLateMs
    return { found: { job, isInterrupted: isAtWork(job) && isLate }, seenAt: row.updatedAt }
  }

  private isFree(found: SeenImportJob | undefined): boolean {
    return this.current === undefined && (found === undefined || !isAtWork(found.job) || found.isInterrupted)
  }

  private async openBox(): Promise<SecretBox> {
    const { store, env } = this.options
    return createSecretBox(await readInstallationSecret(store, env.secret))
  }
}

type JobStep = (options: ImportRunnerOptions, run: JobRun) => Promise<void>

function isAtWork({ state }: ImportJob): boolean {
  return state === 'reading' || state === 'running'
}

async function readPlan({ job, source }: JobRun): Promise<ImportPlan> {
  const plan = source === undefined ? parsePlan(job.plan) : await source.readPlan()
  if (job.addsOwners) return plan
  // Only an owner can add one.
  const members = plan.members.map((member) =>
    member.role === 'owner' ? { ...member, role: 'admin' as const } : member,
  )
  return { ...plan, members }
}

async function readSource({ store, origin }: ImportRunnerOptions, run: JobRun): Promise<void> {
  const checked = await checkPlan(store.db, await readPlan(run))
  const { eventCount } = run.job.source
  const hasIssues = run.source !== undefined
  const report = toImportReport(checked, { origin: origin(), hasIssues, eventCount })
  const problem = checked.problems.join('\n')
  await run.finish(
    problem === '' ? { state: 'read', report } : { state: 'failed', failedStep: 'reading', report, problem },
  )
}

async function importAll(options: ImportRunnerOptions, run: JobRun): Promise<void> {
  const { store, noteImport } = options
  const checked = await checkPlan(store.db, await readPlan(run))
  if (checked.problems.length > 0) throw new OperatorError(checked.problems.join('\n'))
  const imported = await applyPlan(store, checked)
  await noteImport()
  const results = [
    `${imported.length} ${imported.length === 1 ? 'project' : 'projects'} with keys, settings and members`,
  ]
  await run.show({ results })
  if (run.source !== undefined) await importIssues(options, run, imported)
  await run.finish({ state: 'done', share: 1, progress: '' })
}

async function importIssues(
  { store, committer }: ImportRunnerOptions,
  run: JobRun,
  imported: readonly ImportedProject[],
): Promise<void> {
  const { source } = run
  if (source === undefined) return
  const { eventCount } = run.job.source
  for (const [index, project] of imported.entries()) {
    await run.show({ share: index / imported.length, progress: project.slug })
    const onProgress = (counts: Parameters<typeof toCountsText>[0]) =>
      run.show({ progress: `${project.slug}: ${toCountsText(counts)}` })
    const counts = await importProject({ store, committer, source, eventCount, onProgress }, project)
    await run.show({ results: [...run.job.results, `${project.slug}: ${toCountsText(counts)}`] })
  }
}
