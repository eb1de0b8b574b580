import { projectsWith, reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import {
  definePageForms,
  type FormCall,
  type PageForms,
  type Prepared,
} from '#server/forms/define-page-forms.ts'
import type { FormRejection } from '#server/forms/form-views.ts'
import { formsFor, reject } from '#server/forms/form.ts'
import type { FormDefinition, FormOutcome, Submitted } from '#server/forms/form.ts'
import { markOf, rejectOutdated } from '#server/forms/mark.ts'
import type { Services } from '#server/services.ts'
import { findProjectDetails, type ProjectDetails } from '#server/store/projects/details.ts'
import { updateProjectSettings, type ProjectSettings } from '#server/store/projects/settings.ts'

/** A form of a project's page, from a user who may configure the project. */
export interface ProjectCall {
  services: Services
  viewer: Viewer
  project: ProjectDetails
}

/** Defines a form of a project's page. */
export const projectForm = formsFor<ProjectCall>()

/** Defines the forms of a project's page. One statement before any of them. */
export function projectForms(forms: Record<string, FormDefinition<ProjectCall>>): PageForms {
  return definePageForms(forms, {
    prepare: findProject,
    // Ingest caches names, keys and settings, so the cache is refreshed.
    conclude: ({ services }) => services.projectKeys.refresh(),
  })
}

async function findProject({ services, viewer, params }: FormCall): Promise<Prepared<ProjectCall>> {
  if (viewer === undefined) return { outcome: { kind: 'signed-out' } }
  const projectIds = reachableProjects(viewer)
  const project = await findProjectDetails(services.store.db, { slug: params['slug'] ?? '', projectIds })
  if (project === undefined) return { outcome: noSuchProject }
  return projectsWith(viewer, 'configure').includes(project.id)
    ? { context: { services, viewer, project } }
    : { outcome: reject('Not saved: only admins and owners of the organization can configure it.', 403) }
}

/** The same for a project that the user has no access to, whose existence is not revealed. */
const noSuchProject = reject('Not saved: the project does not exist, or you have no access to it.', 404)

/** Changes one part of the settings, or returns a rejection if it has changed since the form was rendered. */
export async function changeSettings<Part extends keyof ProjectSettings>(
  { services, project, mark }: Submitted<ProjectCall, unknown>,
  part: Part,
  change: (before: ProjectSettings[Part]) => ProjectSettings[Part],
): Promise<FormRejection | undefined> {
  let rejection: FormRejection | undefined
  await updateProjectSettings(services.store, project.id, (settings) => {
    rejection = rejectOutdated(mark, markOf(settings[part]))
    return rejection === undefined ? { [part]: change(settings[part]) } : undefined
  })
  return rejection
}

/** Success, with a notice. */
export function done(text: string): FormOutcome {
  return { kind: 'done', text }
}
