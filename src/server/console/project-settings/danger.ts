import * as v from 'valibot'
import { rawText, text } from '#server/forms/fields.ts'
import { reject } from '#server/forms/form.ts'
import { recordProjectDeletion } from '#server/store/projects/deleted.ts'
import { updateProjectSettings } from '#server/store/projects/settings.ts'
import { done, projectForm } from './project-form.ts'
import { defineProjectPage } from './project-page.ts'

const switchProject = projectForm(v.object({ isOn: rawText }), async ({ services, project, fields }) => {
  const isOn = fields.isOn === 'true'
  if (!isOn && project.isBuiltIn)
    return reject('Culvert reports its own errors to this project: it cannot be disabled.')
  await updateProjectSettings(services.store, project.id, () => ({ intake: { isOn } }))
  return done(isOn ? 'Project enabled.' : 'Project disabled. All incoming events are rejected.')
})

const deleteProject = projectForm(v.object({ confirmation: text }), async ({ services, project, fields }) => {
  if (project.isBuiltIn)
    return reject('Culvert reports its own errors to this project: it cannot be deleted.')
  if (fields.confirmation !== project.slug) {
    const message = `This isn’t the slug of the project. Type “${project.slug}” to delete it.`
    return reject([{ field: 'confirmation', message }])
  }
  await recordProjectDeletion(services.store, project.id)
  services.accounts.forgetViewers()
  services.retention.runNow()
  return {
    kind: 'done',
    text: `Project ${project.slug} deleted. Its disk space is freed within minutes.`,
    leadsTo: '/projects',
  }
})

/** The page "Danger zone". One statement. */
export const dangerPage = defineProjectPage({
  page: 'danger',
  title: 'Danger zone',
  permission: 'configure',
  view: () => ({}),
  forms: { switch: switchProject, delete: deleteProject },
})
