import type { FormOutcome } from '#server/auth/page-form.ts'
import { reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import type { ProjectSetupView } from '#server/console/project-views.ts'
import { toProjectDsn } from '#server/project-dsn.ts'
import type { Services } from '#server/services.ts'
import { findAnyIssue } from '#server/store/first-issue.ts'
import { findProjectDetails } from '#server/store/project-details.ts'
import { listKeyRows } from '#server/store/project-key-changes.ts'
import { findSampleEvent } from '#server/store/sample-events.ts'
import { getProjectPage } from './page.ts'
import { goToProject, refuseForm, type ProjectForm } from './post.ts'

/** The page "Set-up": how to point an SDK at the project, and whether something has come. Three statements. */
export async function getSetupView(
  services: Services,
  viewer: Viewer,
  slug: string,
): Promise<ProjectSetupView> {
  const { project, view } = await getProjectPage(services, viewer, slug)
  const { db } = services.store
  const keys = await listKeyRows(db, project.id)
  const key = keys.find(({ isActive }) => isActive)
  const issue = await findAnyIssue(db, project.id)
  return {
    ...view,
    ...(key !== undefined && { dsn: toProjectDsn(services.publicOrigin, key) }),
    ...(issue !== undefined && { issue }),
  }
}

/** Sends a test event with the project's first active key. */
export async function sendTest({ services, project, fields }: ProjectForm): Promise<FormOutcome> {
  const { db } = services.store
  const key = (await listKeyRows(db, project.id)).find(({ isActive }) => isActive)
  if (key === undefined)
    return refuseForm(fields, [{ message: 'No key is active: enable or add one, then send again.' }])
  const { status, eventId } = await services.sendTestEvent(key)
  if (status !== 200) return refuseForm(fields, [{ message: refusalText(status) }])
  const stored = await findSampleEvent(db, { projectId: project.id, id: eventId })
  return goToProject(project, 'setup', stored === undefined ? 'test-dropped' : 'test-sent')
}

function refusalText(status: number): string {
  if (status === 429) return 'It was refused with 429: the project has got more than its limits allow.'
  if (status === 403) return 'It was refused with 403: the project is disabled. Enable it in the danger zone.'
  return `It was refused with ${status}.`
}

/**
 * The stream that tells a page of the project's first event: the server's limits say how many of them may be open. One
 * statement.
 */
export async function openFirstEvents(
  services: Services,
  viewer: Viewer,
  slug: string,
): Promise<ReadableStream<Uint8Array> | 'not_found' | 'too_many'> {
  const projectIds = reachableProjects(viewer)
  const project = await findProjectDetails(services.store.db, { slug, projectIds })
  if (project === undefined) return 'not_found'
  return services.firstEvents.open(project.id) ?? 'too_many'
}
