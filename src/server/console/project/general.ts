import type { FormOutcome } from '#server/auth/page-form.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import type { ProjectPageView } from '#server/console/project-views.ts'
import { limits } from '#server/limits.ts'
import type { Services } from '#server/services.ts'
import { recordProjectNaming, type ProjectNaming } from '#server/store/project-details.ts'
import { isProjectSlug } from '#server/store/projects.ts'
import { listMarks, refuseStale } from './form-mark.ts'
import { getProjectPage } from './page.ts'
import { goToProject, refuseForm, type ProjectForm } from './post.ts'

/** The page "General": what the project is called. One statement. */
export async function getGeneralView(
  services: Services,
  viewer: Viewer,
  slug: string,
): Promise<ProjectPageView> {
  return (await getProjectPage(services, viewer, slug)).view
}

/** Saves name, slug and platform. */
export async function saveGeneral({ services, project, fields }: ProjectForm): Promise<FormOutcome> {
  const naming = parseNaming(fields)
  const problems = namingProblems(naming)
  if (problems.length > 0) return refuseForm(fields, problems)
  const stale = refuseStale(fields, listMarks(project).naming)
  if (stale !== undefined) return stale
  const result = await recordProjectNaming(services.store, project.id, naming)
  if (result === 'slug_taken') {
    return refuseForm(fields, [
      { field: 'slug', message: `Another project is ${naming.slug} already: choose another one.` },
    ])
  }
  return goToProject(naming, '')
}

/** Reads what a project is to be called. */
export function parseNaming(fields: Record<string, string>): ProjectNaming {
  const platform = fields['platform']?.trim() ?? ''
  return {
    name: fields['name']?.trim() ?? '',
    slug: fields['slug']?.trim() ?? '',
    ...(platform !== '' && { platform }),
  }
}

/** What is wrong with what a project is to be called. */
export function namingProblems({
  name,
  slug,
  platform,
}: ProjectNaming): { field: string; message: string }[] {
  const problems: { field: string; message: string }[] = []
  if (name === '') problems.push({ field: 'name', message: 'Enter what people call the application.' })
  if (name.length > limits.projectNameCharacters) {
    const message = `Shorten it to ${limits.projectNameCharacters} characters; it has ${name.length}.`
    problems.push({ field: 'name', message })
  }
  if (!isProjectSlug(slug)) {
    const message =
      `Use lower-case letters a to z, digits and single hyphens, at most ${limits.projectSlugCharacters} of ` +
      'them, such as web-shop; not "new".'
    problems.push({ field: 'slug', message })
  }
  if (platform !== undefined && !/^[\w.-]{1,64}$/.test(platform))
    problems.push({ field: 'platform', message: 'Choose one of the list.' })
  return problems
}
