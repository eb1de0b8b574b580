import type { WaitingView } from '#server/console/issues/views.ts'
import { toArrivalLines } from '#server/console/outcomes/arrival-lines.ts'
import { builtInProjectId } from '#server/first-projects.ts'
import type { Services } from '#server/services.ts'
import { listOutcomeTotals } from '#server/store/outcomes/outcomes.ts'
import { findAnyIssue } from '#server/store/projects/first-issue.ts'
import type { ProjectName } from '#server/store/projects/records.ts'
import { firstOf24Hours } from '#time/time-steps.ts'

interface EmptyList {
  projects: readonly ProjectName[]
  /** True if no project has stored an event. */
  isEmptyInstallation: boolean
  /** The project of the filter. */
  slug: string | undefined
}

/**
 * The data of an empty list for projects that wait for their first event; undefined if they have events. At
 * most two statements.
 */
export async function findWaiting(
  { store: { db }, clock }: Pick<Services, 'store' | 'clock'>,
  { projects, isEmptyInstallation, slug }: EmptyList,
): Promise<WaitingView | undefined> {
  const waiting = projects.filter((each) =>
    slug === undefined ? each.id !== builtInProjectId : each.slug === slug,
  )
  const [project, second] = waiting
  if (project === undefined) return isEmptyInstallation ? { arrivals: [] } : undefined
  if (!isEmptyInstallation) {
    const isWaiting = slug !== undefined && (await findAnyIssue(db, project.id)) === undefined
    if (!isWaiting) return undefined
  }
  const projectIds = waiting.map(({ id }) => id)
  return {
    ...(second === undefined && { project }),
    arrivals: toArrivalLines(await listOutcomeTotals(db, { projectIds, since: firstOf24Hours(clock()) })),
  }
}
