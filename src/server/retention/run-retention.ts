import { limits } from '#server/limits.ts'
import { changeWithEvents } from '#server/store/events/moves.ts'
import type { ProjectFailures } from '#server/store/project-failures.ts'
import type { Store } from '#server/store/store.ts'
import { deleteFilesOfDeletedBundles, deleteOldChunks } from './artifacts.ts'
import { deleteEventsOfDeletedIssues } from './deleted-issues.ts'
import { deleteRowsOfDeletedProjects } from './deleted-projects.ts'
import { deleteEndedAccess } from './ended-access.ts'
import { deleteRowsOfExpiredIssues } from './expiry/expired-issues.ts'
import { expireByAge, expireByBytes, expireByCount } from './expiry/expiry.ts'
import { createExpiryRun, type ExpiryRun } from './expiry/run.ts'
import { deleteOldDeliveries } from './old-deliveries.ts'
import { deleteOldRows } from './old-rows.ts'
import { createPacer } from './pacer.ts'
import { listProjectLimits, type ProjectLimits } from './project-limits.ts'
import { createReport, type RetentionReport, type SpaceResult } from './run-report.ts'
import { deleteSurplusRows } from './space/capped-rows.ts'
import { findByteLimit, returnFreePages, type Disk } from './space/space.ts'
import { listSiblings, shrinkTraces, thinTraces, readTraceBytes } from './traces/thinning.ts'

/** The lease that a process acquires to run retention. */
export const retentionLease = 'retention'

/** The options of a run. */
export interface RetentionOptions {
  store: Store
  /** Maximum bytes of the database, as the operator has set it. */
  maxBytes: number
  /** The disk of the database; undefined if the system does not report it. */
  disk: Disk | undefined
  /** False: the clock is implausible, so nothing is deleted by age. */
  isClockTrusted: boolean
  /** True: deletes nothing, and reports what it would delete. */
  isDryRun?: boolean
  /** Ends the run between two steps, with the signal's reason. */
  signal?: AbortSignal
  /** Reports errors about projects, after which the run continues. Without it, an error ends the run. */
  failures?: ProjectFailures
}

/**
 * Deletes rows above the age and size limits, in short transactions, and returns the space to the file
 * system. An interruption at any moment leaves a consistent database, and the next run continues. Throws
 * `StoreUnavailableError` if the database cannot be written.
 */
export async function runRetention(options: RetentionOptions): Promise<RetentionReport> {
  const { store, maxBytes, disk, isClockTrusted, isDryRun = false } = options
  const startedAt = performance.now()
  const signal = options.signal ?? new AbortController().signal
  const pacer = createPacer({ store, signal, isReadOnly: isDryRun })
  const before = store.engine.readSize()
  const report = createReport({ isDryRun, isClockTrusted, usedBytesBefore: before.usedBytes })
  const run = createExpiryRun({ store, pacer, isDryRun, report, failures: options.failures })
  report.byteLimit = findByteLimit({ maxBytes, fileBytes: before.fileBytes, disk })
  if (before.usedBytes > report.byteLimit) pacer.speedUp()

  // Counting and deleting an issue's events requires that they are not being moved.
  if (!isDryRun) await changeWithEvents(store, () => Promise.resolve())
  if (!isDryRun) await deleteRowsOfDeletedProjects(run)
  const projects = await listProjectLimits(store.db, isClockTrusted ? run.now : undefined)
  if (!isDryRun) await deleteEventsOfDeletedIssues(run)
  await expireByProject(run, projects)
  report.space = await keepWithinBytes(run, projects)
  if (!isDryRun) {
    await deleteRowsOfExpiredIssues(run)
    await returnFreePages(run, disk !== undefined && disk.missingBytes > 0 ? 0 : limits.retentionFreeShare)
  }
  // Last, because an error here ends the run.
  if (!isDryRun && isClockTrusted) {
    await deleteOldChunks(run)
    await deleteOldDeliveries(run)
    await deleteEndedAccess(run)
  }

  const after = store.engine.readSize()
  report.usedBytesAfter = Math.max(0, after.usedBytes - Math.round(run.freed.totalBytes))
  report.returnedBytes = Math.max(0, before.fileBytes - after.fileBytes)
  report.sliceMs = pacer.sliceMs
  report.tookMs = performance.now() - startedAt
  return report
}

/**
 * Thins the traces of projects that exceed their budget, and nothing else: under load that is necessary every
 * few minutes, and a complete run reads much more.
 */
export async function runTraceThinning(
  store: Store,
  grown: readonly ProjectLimits[],
  signal: AbortSignal,
): Promise<RetentionReport> {
  const { usedBytes } = store.engine.readSize()
  const report = createReport({ isDryRun: false, isClockTrusted: false, usedBytesBefore: usedBytes })
  const pacer = createPacer({ store, signal, isReadOnly: false })
  const run = createExpiryRun({ store, pacer, isDryRun: false, report })
  const projectIds = (await listProjectLimits(store.db, undefined)).map(({ projectId }) => projectId)
  // Nothing is deleted by age.
  for (const project of grown) await thinTraces(run, { ...project, cutoffAt: 0 }, projectIds)
  report.usedBytesAfter = store.engine.readSize().usedBytes
  report.sliceMs = pacer.sliceMs
  return report
}

async function expireByProject(run: ExpiryRun, projects: readonly ProjectLimits[]): Promise<void> {
  const projectIds = projects.map(({ projectId }) => projectId)
  for (const project of projects)
    await run.failures.attempt(project.projectId, () => expireProject(run, project, projectIds))
  if (!run.isDryRun) await deleteRowsOfExpiredIssues(run)
}

async function expireProject(
  run: ExpiryRun,
  project: ProjectLimits,
  projectIds: readonly number[],
): Promise<void> {
  if (project.cutoffAt > 0) {
    await expireByAge(run, project)
    if (!run.isDryRun) await deleteOldRows(run, project)
  }
  await expireByCount(run, project)
  if (run.isDryRun) return
  await deleteSurplusRows(run, project.projectId)
  await deleteFilesOfDeletedBundles(run, project.projectId)
  await thinTraces(run, project, projectIds)
}

/** Deletes a little more than necessary, so that the next minute's events do not cause another run. */
async function keepWithinBytes(run: ExpiryRun, projects: readonly ProjectLimits[]): Promise<SpaceResult> {
  const { byteLimit } = run.report
  if (run.store.engine.readUsedBytes() - run.freed.totalBytes <= byteLimit) return 'within'
  const targetBytes = byteLimit * (1 - limits.retentionFreeShare)
  if (!run.isDryRun) await freeTraces(run, projects, targetBytes)
  return expireByBytes(run, projects, targetBytes)
}

/** Deletes traces before events, first those of the project with most of them. */
async function freeTraces(
  run: ExpiryRun,
  projects: readonly ProjectLimits[],
  targetBytes: number,
): Promise<void> {
  const { store } = run
  const projectIds = projects.map(({ projectId }) => projectId)
  const sizes = projectIds.map((projectId) => ({ projectId, bytes: readTraceBytes(store, projectId) }))
  for (const { projectId, bytes } of sizes.toSorted((one, other) => other.bytes - one.bytes)) {
    const missingBytes = store.engine.readUsedBytes() - targetBytes
    if (missingBytes <= 0 || bytes === 0) return
    const leftBytes = Math.max(0, bytes - missingBytes)
    const target = { ordinaryBytes: leftBytes, allBytes: leftBytes }
    await run.failures.attempt(projectId, () =>
      shrinkTraces(run, listSiblings(projectId, projectIds), target),
    )
  }
}
