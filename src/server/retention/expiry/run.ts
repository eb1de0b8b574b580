import type { Pacer } from '#server/retention/pacer.ts'
import type { RetentionReport } from '#server/retention/run-report.ts'
import { FreedSpace } from '#server/retention/space/freed-space.ts'
import { createBlockIds } from '#server/store/events/body-block.ts'
import { noFailures, type ProjectFailures } from '#server/store/project-failures.ts'
import type { Store } from '#server/store/store.ts'
import { prepareExpiryStatements, type ExpiryStatements } from './statements.ts'

/** The shared state of the steps of one run. */
export interface ExpiryRun {
  store: Store
  statements: ExpiryStatements
  pacer: Pacer
  /** True: deletes nothing, and counts what it would delete. */
  isDryRun: boolean
  /** Unix milliseconds. */
  now: number
  /** Updated during the run. */
  report: RetentionReport
  /** By project: blocks up to this one contain only first and latest events of issues. */
  clearedTo: Map<number, number>
  /** Set in a dry run only. */
  freed: FreedSpace
  /** For rows whose ids are derived from the time. */
  nextId: () => number
  /** Projects whose steps have failed. By default an error ends the run. */
  failures: ProjectFailures
}

/** Prepares a run on the store's writing connection. */
export function createExpiryRun({
  failures = noFailures,
  ...parts
}: Pick<ExpiryRun, 'store' | 'pacer' | 'isDryRun' | 'report'> & {
  failures?: ProjectFailures | undefined
}): ExpiryRun {
  const { store } = parts
  return {
    ...parts,
    failures,
    statements: prepareExpiryStatements(store.connection),
    now: store.clock(),
    clearedTo: new Map(),
    freed: new FreedSpace(),
    nextId: createBlockIds(store.clock),
  }
}
