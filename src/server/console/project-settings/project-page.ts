import type { Viewer } from '#server/auth/viewer.ts'
import type { PageForms } from '#server/forms/page-forms.ts'
import type { Services } from '#server/services.ts'
import type { ProjectPage } from './page.ts'

/** What names a page of a project. */
export interface ProjectPageInput {
  slug: string
  /** Whose source maps are shown. */
  release?: string | undefined
}

/** A user who opens a page of a project. */
export interface ProjectPageCall extends ProjectPage, Omit<ProjectPageInput, 'slug'> {
  services: Services
  viewer: Viewer
}

/** A page of a project's settings: what it shows, and the forms on it. */
export interface ProjectPageDefinition<TView> {
  view: (call: ProjectPageCall) => TView | Promise<TView>
  forms: PageForms
}

/** Defines a page of a project's settings. */
export function defineProjectPage<TView extends { page: string }>(
  definition: ProjectPageDefinition<TView>,
): ProjectPageDefinition<TView> {
  return definition
}
