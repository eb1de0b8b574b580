import { openInstallation, requireInstallation } from '#server/data-dir/open-installation.ts'
import { requireEnv } from '#server/env.ts'
import { errorMessage, OperatorError } from '#server/errors.ts'
import { readClockState, recordClockState } from '#server/retention/clock-state.ts'
import { readRetentionClock } from '#server/retention/clock.ts'
import type { RetentionReport } from '#server/retention/run-report.ts'
import { retentionLease, runRetention } from '#server/retention/run-retention.ts'
import { readDisk } from '#server/retention/space/space.ts'
import { doWithLease } from '#server/store/installation/lease.ts'
import { ProjectFailures } from '#server/store/project-failures.ts'
import { listProjectNames } from '#server/store/projects/projects.ts'
import type { Store } from '#server/store/store.ts'
import { readOptions, type Command } from '../command.ts'
import { toFailureText, toRetentionReport } from './text.ts'

interface RunOptions {
  maxBytes: number
  isDryRun: boolean
  trustsClock: boolean
  failures: ProjectFailures
}

/** `culvert retention run`: deletes expired data now, as the server does every hour. */
export const retentionRun: Command = async (args, context) => {
  const { values } = readOptions('culvert retention run [--dry-run] [--trust-clock]', args, {
    'dry-run': { type: 'boolean' },
    'trust-clock': { type: 'boolean' },
  })
  const env = requireEnv(context.variables)
  const { maxBytes } = env
  const isDryRun = values['dry-run'] === true
  const trustsClock = values['trust-clock'] === true
  requireInstallation(env)
  const opened = await openInstallation(env, { setsDamageAside: false, schemaChanges: 'none' })
  const problems = new Map<number, string>()
  const failures = new ProjectFailures((error, projectId) => {
    if (!problems.has(projectId)) problems.set(projectId, errorMessage(error))
  })
  try {
    const report = await runAlone(opened.store, { maxBytes, isDryRun, trustsClock, failures })
    const names = await listProjectNames(opened.store.db)
    context.print(toRetentionReport(report, names))
    if (problems.size > 0) throw new OperatorError(toFailureText(problems, names))
  } finally {
    await opened.close()
  }
}

async function runAlone(store: Store, options: RunOptions): Promise<RetentionReport> {
  if (options.isDryRun) return run(store, options)
  const leased = await doWithLease(store, retentionLease, () => run(store, options))
  if (leased.isDone) return leased.result
  throw new OperatorError(
    'Retention is running in another process. Try again when it has finished; if that process was killed, in half a minute.',
  )
}

async function run(
  store: Store,
  { maxBytes, isDryRun, trustsClock, failures }: RunOptions,
): Promise<RetentionReport> {
  const now = store.clock()
  const clock = trustsClock
    ? { isTrusted: true, trustedAt: now, doubtedMs: 0 }
    : readRetentionClock(await readClockState(store), { now, elapsedMs: 0 })
  const isClockTrusted = clock.isTrusted
  const disk = readDisk(store)
  const report = await runRetention({ store, maxBytes, disk, isClockTrusted, isDryRun, failures })
  if (!isDryRun) await recordClockState(store, clock)
  return report
}
