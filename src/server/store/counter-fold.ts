import { limits } from '#server/limits.ts'
import { addCounterDelta } from './counter-delta.ts'
import type { ProjectCounters } from './counter-delta.ts'
import { writeIssueCounters } from './counter-writer.ts'
import type { TagWriter } from './tag-writer.ts'

/** One run of `foldCounterDeltas`. */
export interface CounterFold {
  /** Events that are counted now. */
  eventCount: number
  /** Deltas that could not be read. They are gone, and what they counted with them. */
  damaged: Error[]
}

/**
 * Adds the oldest deltas, those of about `limits.counterFoldEvents` events, to the counters and deletes them, so that each is
 * counted once whoever folds it, and whenever. Inside a transaction that writes.
 *
 * Deltas of an issue that has been deleted meanwhile are dropped. Who merges issues must fold everything first.
 */
export function foldCounterDeltas(writer: TagWriter): CounterFold {
  const fold: CounterFold = { eventCount: 0, damaged: [] }
  const projects = new Map<number, ProjectCounters>()
  while (fold.eventCount < limits.counterFoldEvents) {
    const delta = takeDelta(writer)
    if (delta === undefined) break
    fold.eventCount += delta.eventCount
    try {
      addCounterDelta(issuesOf(projects, delta.projectId), delta.data)
    } catch (error) {
      fold.damaged.push(new Error(`counter delta of project ${delta.projectId}`, { cause: error }))
    }
  }
  for (const [projectId, issues] of projects) {
    for (const [issueId, counters] of [...issues].toSorted(([one], [other]) => one - other)) {
      writeIssueCounters(writer, { projectId, issueId }, counters)
    }
  }
  return fold
}

/** How many events wait in deltas to be counted. */
export function countUnfoldedEvents({ statements }: TagWriter): number {
  return Number(statements.countUnfoldedEvents.get()?.['event_count'])
}

interface CounterDelta {
  projectId: number
  eventCount: number
  data: string
}

function takeDelta({ statements }: TagWriter): CounterDelta | undefined {
  const row = statements.takeCounterDelta.get()
  if (row === undefined) return undefined
  return {
    projectId: Number(row['project_id']),
    eventCount: Number(row['event_count']),
    data: String(row['data']),
  }
}

function issuesOf(projects: Map<number, ProjectCounters>, projectId: number): ProjectCounters {
  const known = projects.get(projectId)
  if (known !== undefined) return known
  const issues: ProjectCounters = new Map()
  projects.set(projectId, issues)
  return issues
}
