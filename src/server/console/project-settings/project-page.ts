import type { Viewer } from '#server/auth/viewer.ts'
import type { PageForms } from '#server/forms/page-forms.ts'
import type { Services } from '#server/services.ts'

/** What names a page of a project. */
export interface ProjectPageInput {
  slug: string
  /** Whose source maps are shown. */
  release?: string | undefined
}

/** A page of a project's settings: what it shows, and the forms on it. */
export interface ProjectPageDefinition<TView> {
  view: (services: Services, viewer: Viewer, input: ProjectPageInput) => Promise<TView>
  forms: PageForms
}

/** Defines a page of a project's settings. */
export function defineProjectPage<TView extends { page: string }>(
  definition: ProjectPageDefinition<TView>,
): ProjectPageDefinition<TView> {
  return definition
}
