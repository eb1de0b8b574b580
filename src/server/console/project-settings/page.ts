import { projectsWith, reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import { markOf } from '#server/forms/mark.ts'
import type { Services } from '#server/services.ts'
import { findProjectDetails, type ProjectDetails } from '#server/store/projects/details.ts'
import type { ProjectHead, ProjectPageView, SharedProjectView } from './views.ts'

/** The data from which a project's pages are built. */
export interface ProjectPage {
  project: ProjectDetails
  /** The common data of every page. */
  view: SharedProjectView
}

/** The project of a page. One statement; undefined if the viewer cannot access one with that slug. */
export async function findProjectPage(
  { store, clock }: Pick<Services, 'store' | 'clock'>,
  viewer: Viewer,
  slug: string,
): Promise<ProjectPage | undefined> {
  const project = await findProjectDetails(store.db, { slug, projectIds: reachableProjects(viewer) })
  if (project === undefined) return undefined
  const view = {
    now: clock(),
    project: toProjectHead(project),
    canConfigure: projectsWith(viewer, 'configure').includes(project.id),
    marks: listMarks(project),
  }
  return { project, view }
}

function toProjectHead(details: ProjectDetails): ProjectHead {
  const { id, slug, name, platform, createdAt, isBuiltIn, settings } = details
  return {
    id,
    slug,
    name,
    platform,
    createdAt,
    isBuiltIn,
    isAccepting: settings.intake.isOn,
  }
}

/** The marks of the forms that all pages of a project share. */
export function listMarks({ name, slug, platform, settings }: ProjectDetails): ProjectPageView['marks'] {
  return {
    naming: markOf([name, slug, platform]),
    filters: markOf(settings.filters),
    allowedOrigins: markOf(settings.allowedOrigins),
    grouping: markOf(settings.grouping),
    scrubbing: markOf(settings.scrubbing),
    rateLimits: markOf(settings.rateLimits),
    spikeProtection: markOf(settings.spikeProtection),
    retention: markOf(settings.retention),
    traces: markOf(settings.traces),
    performanceIssues: markOf(settings.performanceIssues),
    sourceLinks: markOf(settings.sourceLinks),
    ownership: markOf(settings.ownership),
    issueTracker: markOf(settings.issueTracker),
    forwarding: markOf(settings.forwarding),
  }
}
