import type { FormOutcome } from '#server/auth/page-form.ts'
import { recordProjectDeletion } from '#server/store/deleted-projects.ts'
import { updateProjectSettings } from '#server/store/project-settings.ts'
import { goToProject, refuseForm, type ProjectForm } from './post.ts'

/** Refuses what is sent to the project from now on, or takes it again. */
export async function switchProject({ services, project, fields }: ProjectForm): Promise<FormOutcome> {
  const isOn = fields['isOn'] === 'true'
  if (!isOn && project.isBuiltIn)
    return refuseForm(fields, [{ message: 'Culvert itself reports to this project: it stays on.' }])
  await updateProjectSettings(services.store, project.id, () => ({ intake: { isOn } }))
  return goToProject(project, 'danger', isOn ? 'project-enabled' : 'project-disabled')
}

/** Deletes the project with all it has stored, once its slug was typed. */
export async function deleteProject({ services, project, fields }: ProjectForm): Promise<FormOutcome> {
  if (project.isBuiltIn)
    return refuseForm(fields, [{ message: 'Culvert itself reports to this project: it stays.' }])
  if (fields['confirmation']?.trim() !== project.slug) {
    const message = `Type ${project.slug}, the slug of the project, to delete it.`
    return refuseForm(fields, [{ field: 'confirmation', message }])
  }
  await recordProjectDeletion(services.store, project.id)
  services.accounts.forgetViewers()
  services.retention.hurry()
  return { kind: 'go', to: '/projects?done=deleted' }
}
