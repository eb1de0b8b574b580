import { limits } from '#server/limits.ts'
import { firstBlockIdAt } from '#server/store/events/body-block.ts'
import { foldFigureDeltas, type FigureDeltaFolder } from '#server/store/figures/fold.ts'
import type { Store } from '#server/store/store.ts'
import type { CounterSchedule } from './counter-schedule.ts'
import { sliceOf } from './counter-slice.ts'
import { writeCounters } from './counter-writer.ts'
import type { TagWriter } from './tag-writer.ts'
import { WaitingDeltas } from './waiting-deltas.ts'

/** One run of `foldCounterDeltas`. */
export interface CounterFold {
  /** True if no deltas are left. */
  isWhole: boolean
  /** Errors about unreadable deltas. These are deleted, and their counts are lost. */
  damaged: Error[]
}

/** Limits the deltas that one run of `foldCounterDeltas` folds. */
export interface CounterFoldOptions {
  /** Folds only deltas of issues of this slice. */
  slice?: number
  /** Folds only deltas of these projects, which the transaction has locked. */
  projectIds?: ReadonlySet<number> | undefined
  /**
   * Milliseconds after which the remaining counts are written back as one delta per project. Only for an
   * engine that runs each statement immediately: buffered statements take their time at the commit.
   */
  limitMs?: number | undefined
}

/**
 * Adds the oldest deltas, at most `limits.counterFoldDeltas` of about `limits.counterFoldEvents`, to the
 * counters and deletes them. Each delta is counted exactly once, whichever process folds it and when. Call
 * inside a write transaction.
 *
 * Deltas of deleted issues are dropped. A merge first folds the deltas of its issues.
 */
export function foldCounterDeltas(
  writer: TagWriter,
  { slice, projectIds, limitMs }: CounterFoldOptions = {},
): CounterFold {
  const startedAt = performance.now()
  const { statements, clock } = writer
  const chosen = [slice === undefined ? 1 : limits.counterFoldSlices, slice ?? 0] as const
  const most = [limits.counterFoldDeltas, limits.counterFoldEvents] as const
  const rows =
    projectIds === undefined
      ? statements.takeCounterDeltas.all(...chosen, ...most)
      : statements.takeCounterDeltasOf.all(...chosen, JSON.stringify([...projectIds]), ...most)
  const damaged: Error[] = []
  const waiting = new WaitingDeltas()
  let eventCount = 0
  for (const row of rows) {
    const projectId = Number(row['project_id'])
    eventCount += Number(row['event_count'])
    try {
      waiting.add({ projectId, id: Number(row['id']), data: String(row['data']) })
    } catch (error) {
      damaged.push(new Error(`counter delta of project ${projectId}`, { cause: error }))
    }
  }
  const isTimed = limitMs !== undefined && statements.readCountedIssue.expect === undefined
  const rowCount = isTimed ? limits.counterFoldRows : Number.POSITIVE_INFINITY
  const lateId = firstBlockIdAt(clock() - limits.countsLateMs)
  const factor = rows.some(({ id }) => Number(id) < lateId) ? limits.counterFoldLateFactor : 1
  const endsAt = isTimed ? startedAt + limitMs * factor : Number.POSITIVE_INFINITY
  do writeCounters(writer, waiting.take(rowCount))
  while (!waiting.isEmpty() && performance.now() < endsAt)
  const left = waiting.listLeft()
  for (const { projectId, id, eventCount: leftCount, data } of left)
    statements.insertCounterDelta.run(projectId, id, leftCount, data)
  const hasAll = rows.length < limits.counterFoldDeltas && eventCount < limits.counterFoldEvents
  return { isWhole: hasAll && left.length === 0, damaged }
}

/** A fold of a slice of counters, with figures. */
export interface SliceFold extends CounterFold {
  /** More figure deltas are left for the next slice. */
  hasParts: boolean
}

/** Selects the slice of `foldSlice`. */
export interface SliceFoldOptions {
  /** The projects that the transaction may fold; all by default. */
  projectIds: ReadonlySet<number> | undefined
  /** The duration of the batch in the same transaction. */
  batchMs: number
  schedule: Pick<CounterSchedule, 'slice' | 'isFlushing'>
}

/**
 * Folds one slice. It may take as long as the batch in the same transaction, so that counts keep up with
 * large batches. Call inside a write transaction.
 */
export function foldSlice(
  folder: TagWriter & FigureDeltaFolder,
  { projectIds, batchMs, schedule: { slice, isFlushing } }: SliceFoldOptions,
): SliceFold {
  if (projectIds?.size === 0) return { isWhole: true, hasParts: true, damaged: [] }
  const limitMs = isFlushing ? undefined : Math.max(limits.counterFoldMs, batchMs)
  const events = foldCounterDeltas(folder, { slice, projectIds, limitMs })
  if (!events.isWhole && !isFlushing) return { ...events, hasParts: false }
  // Figures are folded once per second; deltas that exceed one transaction are left for the other slices.
  const figures = foldFigureDeltas(folder, { projectIds, takesNew: slice === 0 || isFlushing })
  return {
    isWhole: events.isWhole && (figures.isWhole || !isFlushing),
    hasParts: !figures.isWhole,
    damaged: [...events.damaged, ...figures.damaged],
  }
}

/**
 * Folds the deltas of issues of a project, together with other issues in their slices. Call inside a write
 * transaction. This is bounded by a second of batches, each of which leaves one delta per slice.
 */
export function foldDeltasOf(
  writer: TagWriter,
  { projectId, issueIds }: { projectId: number; issueIds: readonly number[] },
): void {
  const projectIds = new Set([projectId])
  for (const slice of new Set(issueIds.map(sliceOf)))
    while (!foldCounterDeltas(writer, { slice, projectIds }).isWhole);
}

/** Counts the events in deltas. */
export function countUnfoldedEvents({ statements }: TagWriter): number {
  return Number(statements.countUnfoldedEvents.get()?.['event_count'])
}

/** True if deltas of counters or figures are older than `limits.countsLateMs`. */
export function hasLateDeltas({ connection, clock }: Pick<Store, 'connection' | 'clock'>): boolean {
  const lateId = firstBlockIdAt(clock() - limits.countsLateMs)
  const late = connection.prepare(
    'SELECT 1 FROM counter_deltas WHERE id < ? UNION ALL SELECT 1 FROM figure_deltas WHERE id < ? LIMIT 1',
  )
  return late.get(lateId, lateId) !== undefined
}
