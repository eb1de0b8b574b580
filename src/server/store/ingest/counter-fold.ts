import { limits } from '#server/limits.ts'
import { firstBlockIdAt } from '#server/store/events/body-block.ts'
import type { Store } from '#server/store/store.ts'
import { addCounterDelta } from './counter-delta.ts'
import type { ProjectCounters } from './counter-delta.ts'
import { sliceOf } from './counter-slice.ts'
import { writeCounters } from './counter-writer.ts'
import type { TagWriter } from './tag-writer.ts'

/** One run of `foldCounterDeltas`. */
export interface CounterFold {
  /** No more deltas were waiting than this run took. */
  isWhole: boolean
  /** Unreadable deltas. They are deleted, and their counts are lost. */
  damaged: Error[]
}

/**
 * Adds the oldest deltas, at most `limits.counterFoldDeltas`, to the counters and deletes them, so that each
 * is counted exactly once, by any process and at any time. Call inside a write transaction. With a slice,
 * only the deltas of its issues are folded, and only those of the projects that the transaction may write.
 *
 * Deltas of deleted issues are dropped. A merge folds those of its issues first.
 */
export function foldCounterDeltas(
  writer: TagWriter,
  slice?: number,
  projectIds?: ReadonlySet<number>,
): CounterFold {
  const { takeCounterDeltas, takeCounterDeltasOf } = writer.statements
  const chosen = [slice === undefined ? 1 : limits.counterFoldSlices, slice ?? 0] as const
  const rows =
    projectIds === undefined
      ? takeCounterDeltas.all(...chosen, limits.counterFoldDeltas)
      : takeCounterDeltasOf.all(...chosen, JSON.stringify([...projectIds]), limits.counterFoldDeltas)
  const fold: CounterFold = { isWhole: rows.length < limits.counterFoldDeltas, damaged: [] }
  const projects = new Map<number, ProjectCounters>()
  for (const row of rows) {
    const projectId = Number(row['project_id'])
    try {
      addCounterDelta(issuesOf(projects, projectId), String(row['data']))
    } catch (error) {
      fold.damaged.push(new Error(`counter delta of project ${projectId}`, { cause: error }))
    }
  }
  writeCounters(writer, projects)
  return fold
}

/**
 * Folds the deltas of issues of a project, with those of the issues that share their slices. Call inside a
 * write transaction. Waits for no more than a second of batches, each of which leaves one delta a slice.
 */
export function foldDeltasOf(
  writer: TagWriter,
  { projectId, issueIds }: { projectId: number; issueIds: readonly number[] },
): void {
  const projectIds = new Set([projectId])
  for (const slice of new Set(issueIds.map(sliceOf)))
    while (!foldCounterDeltas(writer, slice, projectIds).isWhole);
}

/** Counts the events that wait in deltas. */
export function countUnfoldedEvents({ statements }: TagWriter): number {
  return Number(statements.countUnfoldedEvents.get()?.['event_count'])
}

/** True if deltas of counters or figures have waited for longer than `limits.countsLateMs`. */
export function hasLateDeltas({ connection, clock }: Pick<Store, 'connection' | 'clock'>): boolean {
  const lateId = firstBlockIdAt(clock() - limits.countsLateMs)
  const late = connection.prepare(
    'SELECT 1 FROM counter_deltas WHERE id < ? UNION ALL SELECT 1 FROM figure_deltas WHERE id < ? LIMIT 1',
  )
  return late.get(lateId, lateId) !== undefined
}

function issuesOf(projects: Map<number, ProjectCounters>, projectId: number): ProjectCounters {
  const known = projects.get(projectId)
  if (known !== undefined) return known
  const issues: ProjectCounters = new Map()
  projects.set(projectId, issues)
  return issues
}
