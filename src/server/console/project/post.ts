import { postedPage, type FormOutcome, type FormRefusal } from '#server/auth/page-form.ts'
import { projectsWith, type Viewer } from '#server/auth/viewer.ts'
import type { Services } from '#server/services.ts'
import { findProjectDetails, type ProjectDetails } from '#server/store/project-details.ts'

/** A form of a project's page, from somebody who may configure the project. */
export interface ProjectForm {
  services: Services
  viewer: Viewer
  project: ProjectDetails
  fields: Record<string, string>
}

/** Changes something of a project, or says what is wrong with what was typed. */
export type ProjectAction = (form: ProjectForm) => Promise<FormOutcome>

/**
 * The POST handler of a project's page. `actions` are its forms, by the field `action`. Who may not configure the
 * project changes nothing; for who does not reach it the page answers 404 by itself.
 */
export function projectPost(actions: Record<string, ProjectAction>) {
  return postedPage(async (services, { request, fields, pathname }): Promise<FormOutcome> => {
    const viewer = await services.accounts.findViewer(request.headers)
    if (viewer === undefined) return { kind: 'go', to: `/login?to=${encodeURIComponent(pathname)}` }
    const [, slug = ''] = /^\/projects\/([^/]+)/.exec(pathname) ?? []
    const projectIds = projectsWith(viewer, 'configure')
    const project = await findProjectDetails(services.store.db, {
      slug: decodeURIComponent(slug),
      projectIds,
    })
    if (project === undefined) return notAllowed
    const name = fields['action'] ?? ''
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined
    if (action === undefined) return notAllowed
    const outcome = await action({ services, viewer, project, fields })
    // Names, keys and settings are what ingest knows from memory: from now on it knows the new ones.
    if (outcome.kind === 'go') await services.projectKeys.refresh()
    return outcome
  })
}

const notAllowed: FormRefusal = {
  kind: 'again',
  status: 403,
  values: {},
  problems: [{ message: 'Nothing was changed: only admins and owners of the organization configure it.' }],
}

/** What was typed is wrong: the page comes back with it and with what is right. */
export function refuseForm(
  fields: Record<string, string>,
  problems: { field?: string; message: string }[],
): FormRefusal {
  return { kind: 'again', status: 422, values: fields, problems }
}

/** Back to a page of the project, which says that it is done. `page` is empty for the first one. */
export function goToProject({ slug }: { slug: string }, page: string, done = 'saved'): FormOutcome {
  return { kind: 'go', to: `/projects/${slug}${page === '' ? '' : `/${page}`}?done=${done}` }
}
