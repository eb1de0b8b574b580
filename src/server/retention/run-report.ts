import type { ExpiryReason } from '#server/store/events/records.ts'
import type { SliceTimes } from './pacer.ts'
import type { SpaceKind } from './space/plan.ts'

/** The rows that one run deleted in one project; in a dry run, those it would delete. */
export interface ProjectExpiry {
  events: Record<ExpiryReason, number>
  /**
   * Other rows deleted for lack of space: queued envelopes, files, dead letters. Absent when there were none.
   */
  rows?: Partial<Record<Exclude<SpaceKind, 'events'>, number>>
  /** Issues whose last event was deleted. */
  issueCount: number
}

/** `exhausted`: everything that may be deleted is deleted, and it is still too much. */
export type SpaceResult = 'within' | 'behind' | 'exhausted'

/** The result of one run; in a dry run, the expected one. */
export interface RetentionReport {
  isDryRun: boolean
  tookMs: number
  /** False: the clock shows something implausible, so nothing was deleted for its age. */
  isClockTrusted: boolean
  /** By project id; projects that lost nothing are left out. */
  projects: Map<number, ProjectExpiry>
  /** Rows of other tables: outcomes, dead letters, counters of deleted issues … Not known in a dry run. */
  rowCounts: Map<string, number>
  /** Body blocks that cannot be read, with events in them that stay. */
  damagedBlockCount: number
  /** Bytes of the database that are in use: before, and after (estimated in a dry run). */
  usedBytesBefore: number
  usedBytesAfter: number
  /** The maximum size: the setting, or less if the disk is small or nearly full. */
  byteLimit: number
  /**
   * Whether the limit was reached; `behind` when more arrived meanwhile or less was freed than estimated, so
   * that another run is due.
   */
  space: SpaceResult
  /** Bytes given back to the file system. */
  returnedBytes: number
  /** Milliseconds that the steps blocked ingestion. */
  sliceMs: SliceTimes
}

/** A report of nothing yet. */
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

/** The counts of a project, to add to. */
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

/** Notes rows that were deleted from a table. */
export function addRows(
  { rowCounts }: Pick<RetentionReport, 'rowCounts'>,
  table: string,
  count: number,
): void {
  if (count > 0) rowCounts.set(table, (rowCounts.get(table) ?? 0) + count)
}

/** True when the run deleted anything, or gave space back. */
export function hasDeleted({ projects, rowCounts, returnedBytes }: RetentionReport): boolean {
  return projects.size > 0 || rowCounts.size > 0 || returnedBytes > 0
}

/** A report as one line of the log. */
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

/** All events that were deleted, or would be. */
export function totalEvents({ projects }: RetentionReport): number {
  let total = 0
  for (const { events } of projects.values())
    total += events.age + events.count + events.bytes + events.deleted
  return total
}
