import { countEvent, createIssueCounters } from '#server/store/issues/counters.ts'
import { sortedEntries } from '#server/store/sorted-entries.ts'
import { addCounterDelta, formatCounterDelta } from './counter-delta.ts'
import type { IssueIncrement, ProjectCounters, WaitingCounts } from './counter-delta.ts'

/** Rows that an issue changes in addition to its tags: its own, an hour, a user, its trend. */
const rowsPerIssue = 4

interface WaitingProject {
  projectId: number
  /** The id of its oldest delta. */
  firstId: number
  issues: Map<number, WaitingCounts>
}

interface WaitingIssue extends WaitingCounts {
  projectId: number
  issueId: number
}

/** The remaining counts of a project, as one delta. */
export interface LeftDelta {
  projectId: number
  /** The id of the oldest of the deltas, which contains its age. */
  id: number
  eventCount: number
  data: string
}

/** Deltas that were read from the database and are being counted, issue by issue. */
export class WaitingDeltas {
  private readonly projects = new Map<number, WaitingProject>()
  /** By project and issue, the next issue last. Created by the first `take`. */
  private queue: WaitingIssue[] | undefined

  /** Adds a delta. Throws when its text is damaged. */
  add({ projectId, id, data }: { projectId: number; id: number; data: string }): void {
    const known = this.projects.get(projectId)
    const project = known ?? { projectId, firstId: id, issues: new Map<number, WaitingCounts>() }
    if (known === undefined) this.projects.set(projectId, project)
    project.firstId = Math.min(project.firstId, id)
    addCounterDelta(project.issues, data)
  }

  /**
   * Removes and returns the counts of the next issues, about as many as change `rowCount` rows. Of an issue
   * with more tag values, returns those of its first events.
   */
  take(rowCount: number): Map<number, ProjectCounters> {
    this.queue ??= this.toQueue()
    const taken = new Map<number, ProjectCounters>()
    let left = rowCount
    for (let issue = this.queue.at(-1); issue !== undefined && left > 0; issue = this.queue.at(-1)) {
      const { projectId, issueId, counted } = issue
      const increment: IssueIncrement = createIssueCounters()
      if (issue.advance !== undefined) increment.advance = issue.advance
      issue.advance = undefined
      left -= rowsPerIssue
      let countedCount = 0
      for (const event of counted) {
        left -= countEvent(increment, event)
        countedCount += 1
        if (left <= 0) break
      }
      const ofProject = taken.get(projectId) ?? new Map<number, IssueIncrement>()
      taken.set(projectId, ofProject.set(issueId, increment))
      if (countedCount === counted.length) this.queue.pop()
      else issue.counted = counted.slice(countedCount)
    }
    return taken
  }

  /** True if all counts have been taken. */
  isEmpty(): boolean {
    return this.queue?.length === 0
  }

  /** Returns the remaining counts as deltas. */
  listLeft(): LeftDelta[] {
    const left = Map.groupBy((this.queue ?? this.toQueue()).toReversed(), ({ projectId }) => projectId)
    return [...left].map(([projectId, issues]) => ({
      projectId,
      id: this.projects.get(projectId)?.firstId ?? 0,
      eventCount: issues.reduce((sum, { counted }) => sum + counted.length, 0),
      data: formatCounterDelta(issues.map(({ issueId, ...counts }) => ({ issue: { issueId }, ...counts }))),
    }))
  }

  private toQueue(): WaitingIssue[] {
    const queue: WaitingIssue[] = []
    for (const [projectId, { issues }] of sortedEntries(this.projects))
      for (const [issueId, counts] of sortedEntries(issues)) queue.push({ projectId, issueId, ...counts })
    return queue.toReversed()
  }
}
