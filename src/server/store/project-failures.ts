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
