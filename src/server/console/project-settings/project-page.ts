import type { Permission } from '#server/auth/roles.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import type { PageForms } from '#server/forms/define-page-forms.ts'
import type { FormDefinition } from '#server/forms/form.ts'
import type { Services } from '#server/services.ts'
import type { ProjectPage } from './page.ts'
import { projectForms, type ProjectCall } from './project-form.ts'

/** A page of a project. */
export interface ProjectPageInput {
  slug: string
  /** The release whose source maps are shown. */
  release?: string | undefined
}

/** A request for a page of a project by a user. */
export interface ProjectPageCall extends ProjectPage, Omit<ProjectPageInput, 'slug'> {
  services: Services
  viewer: Viewer
}

/** A page of a project's settings. */
interface ProjectPageDefinition<TPage, TView> {
  /** The last segment of its path. */
  page: TPage
  title: string
  /** The required permission in the project. */
  permission: Permission
  /** The data of the page in addition to the common data. */
  view: (call: ProjectPageCall) => TView | Promise<TView>
}

/**
 * Defines a page of a project's settings, with its forms by the value of their field `action`. List it in
 * `pages.ts`, and add a route with its component.
 */
export function defineProjectPage<const TPage extends string, TView extends object>({
  view,
  forms,
  ...definition
}: ProjectPageDefinition<TPage, TView> & {
  forms: Record<string, FormDefinition<ProjectCall>>
}): ProjectPageDefinition<TPage, TView & { page: TPage; title: string }> & { forms: PageForms } {
  const { page, title } = definition
  return {
    ...definition,
    view: async (call) => ({ ...(await view(call)), page, title }),
    forms: projectForms(forms),
  }
}
