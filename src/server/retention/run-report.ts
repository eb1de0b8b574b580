import type { ExpiryReason } from '#server/store/events/records.ts'
import type { SliceTimes } from './pacer.ts'
import type { SpaceKind } from './space/plan.ts'

/** The number of rows that a run has deleted in one project, or in a dry run would delete. */
export interface ProjectExpiry {
  events: Record<ExpiryReason, number>
  /** Other rows deleted for lack of space: envelopes, files, dead letters. Absent if there were none. */
  rows?: Partial<Record<Exclude<SpaceKind, 'events'>, number>>
  /** Issues whose last event was deleted. */
  issueCount: number
}

/** `exhausted`: everything that may be deleted has been deleted, and the database is still too large. */
export type SpaceResult = 'within' | 'behind' | 'exhausted'

/** The result of a run, or in a dry run the expected one. */
export interface RetentionReport {
  isDryRun: boolean
  tookMs: number
  /** False: the clock was implausible, so nothing was deleted by age. */
  isClockTrusted: boolean
  /** By project id, without projects that lost nothing. */
  projects: Map<number, ProjectExpiry>
  /** Rows of other tables: outcomes, dead letters, counters of deleted issues … Unknown in a dry run. */
  rowCounts: Map<string, number>
  /** Body blocks that cannot be read and still contain events. */
  damagedBlockCount: number
  /** Bytes in use before the run, and after it (estimated in a dry run). */
  usedBytesBefore: number
  usedBytesAfter: number
  /** The maximum size: the setting, or less if the disk is small or nearly full. */
  byteLimit: number
  /**
   * Whether the limit was reached; `behind` if more has arrived meanwhile or less was freed than estimated,
   * so that another run is due.
   */
  space: SpaceResult
  /** Bytes returned to the file system. */
  returnedBytes: number
  /** Milliseconds for which the steps blocked ingest. */
  sliceMs: SliceTimes
}

/** Creates an empty report. */
export function createReport(
  known: Pick<RetentionReport, 'isDryRun' | 'isClockTrusted' | 'usedBytesBefore'>,
): RetentionReport {
  return {
    ...known,
    tookMs: 0,
    projects: new Map(),
    rowCounts: new Map(),
    damagedBlockCount: 0,
    usedBytesAfter: known.usedBytesBefore,
    byteLimit: 0,
    space: 'within',
    returnedBytes: 0,
    sliceMs: { p99: 0, longest: 0 },
  }
}

/** The counts of a project, for updates. */
export function expiryOf(report: Pick<RetentionReport, 'projects'>, projectId: number): ProjectExpiry {
  const known = report.projects.get(projectId)
  if (known) return known
  const expiry: ProjectExpiry = {
    events: { age: 0, count: 0, bytes: 0, deleted: 0 },
    issueCount: 0,
  }
  report.projects.set(projectId, expiry)
  return expiry
}

/** Records rows that were deleted from a table. */
export function addRows(
  { rowCounts }: Pick<RetentionReport, 'rowCounts'>,
  table: string,
  count: number,
): void {
  if (count > 0) rowCounts.set(table, (rowCounts.get(table) ?? 0) + count)
}

/** True if the run has deleted anything, or returned space. */
export function hasDeleted({ projects, rowCounts, returnedBytes }: RetentionReport): boolean {
  return projects.size > 0 || rowCounts.size > 0 || returnedBytes > 0
}

/** A report as the fields of a log line. */
export function toLogFacts(report: RetentionReport): object {
  const { projects, rowCounts, isClockTrusted, damagedBlockCount } = report
  return {
    tookMs: Math.round(report.tookMs),
    sliceMs: report.sliceMs,
    projects: Object.fromEntries(projects),
    rows: Object.fromEntries(rowCounts),
    usedBytes: report.usedBytesAfter,
    byteLimit: report.byteLimit,
    returnedBytes: report.returnedBytes,
    ...(damagedBlockCount > 0 && { damagedBlockCount }),
    ...(!isClockTrusted && { isClockTrusted }),
  }
}

/** The number of events that were deleted, or would be. */
export function totalEvents({ projects }: RetentionReport): number {
  let total = 0
  for (const { events } of projects.values())
    total += events.age + events.count + events.bytes + events.deleted
  return total
}
