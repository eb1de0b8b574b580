import { BoundedMap } from '#server/bounded-map.ts'
import { limits } from '#server/limits.ts'
import type { Log } from '#server/log.ts'
import { minuteMs } from '#time/time-steps.ts'
import { findUnavailability } from './errors.ts'

/**
 * Background work that is done project by project: an unexpected error, such as a bug that only the data of
 * one project triggers, ends the work of this project only. The next pass, with another instance, retries it.
 */
export class ProjectFailures {
  private readonly failed = new Set<number>()
  private readonly report: (error: unknown, projectId: number) => void

  /** `report` logs the error; if it throws, the whole pass ends. */
  constructor(report: (error: unknown, projectId: number) => void) {
    this.report = report
  }

  /** The projects whose work has failed in this pass. Statements leave them out, so that others follow. */
  get projectIds(): readonly number[] {
    return [...this.failed]
  }

  has(projectId: number): boolean {
    return this.failed.has(projectId)
  }

  /**
   * Runs work about a project. Undefined if it fails; throws only if the store is not available, which
   * concerns every project.
   */
  async attempt<Result>(projectId: number, work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work()
    } catch (error) {
      if (findUnavailability(error) !== undefined) throw error
      this.report(error, projectId)
      this.failed.add(projectId)
      return undefined
    }
  }
}

/** Every error ends the pass, for callers that handle errors themselves. */
export const noFailures = new ProjectFailures((error) => {
  throw error
})

/**
 * Logs errors about projects, those of each project at most once a minute: a pass that always fails would
 * otherwise be logged several times a second. `clock`: monotonic milliseconds.
 */
export function createFailureLog(log: Log, text: string, clock: () => number = () => performance.now()) {
  const loggedAt = new BoundedMap<number, number>(limits.loggedProjects)
  return (error: unknown, projectId: number): void => {
    const now = clock()
    if (now - (loggedAt.get(projectId) ?? -Infinity) < minuteMs) return
    loggedAt.set(projectId, now)
    log.error({ err: error, project: projectId }, text)
  }
}
