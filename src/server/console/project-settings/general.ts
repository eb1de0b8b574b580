import { reject } from '#server/forms/form.ts'
import { rejectOutdated } from '#server/forms/mark.ts'
import { recordProjectNaming } from '#server/store/projects/details.ts'
import { namingFields, slugInUseText } from './naming.ts'
import { listMarks } from './page.ts'
import { done, projectForm } from './project-form.ts'
import { defineProjectPage } from './project-page.ts'
import { listRejectedRequests } from './rejected-requests.ts'

const saveNaming = projectForm(namingFields, async ({ services, project, fields, mark }) => {
  const { name, slug, platform } = fields
  const outdated = rejectOutdated(mark, listMarks(project).naming)
  if (outdated !== undefined) return outdated
  const naming = { name, slug, platform }
  const result = await recordProjectNaming(services.store, project.id, naming)
  if (result === 'slug_taken') return reject([{ field: 'slug', message: slugInUseText(slug) }])
  const text =
    slug === project.slug ? 'Name saved.' : `Name saved. The project’s URL is now /projects/${slug}.`
  return slug === project.slug ? done(text) : { kind: 'done', text, leadsTo: `/projects/${slug}` }
})

/** The page "General": how the project is named, and which requests it rejected. Two statements. */
export const generalPage = defineProjectPage({
  page: 'general',
  title: 'General',
  permission: 'read',
  view: async ({ services, project }) => {
    const rejected = await listRejectedRequests(services, project.id)
    return { rejected }
  },
  forms: { save: saveNaming },
})
