import type { FormOutcome } from '#server/auth/page-form.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import type { ProjectKeysView } from '#server/console/project-views.ts'
import { isNeededKey } from '#server/first-projects.ts'
import { limits } from '#server/limits.ts'
import { toProjectDsn } from '#server/project-dsn.ts'
import { formatLimits } from '#server/rate-limit/limit-text.ts'
import type { Services } from '#server/services.ts'
import {
  createProjectKey,
  listKeyRows,
  updateProjectKey,
  type KeyRow,
} from '#server/store/project-key-changes.ts'
import { markOf, refuseStale } from './form-mark.ts'
import { parseLimitText } from './limit-field.ts'
import { getProjectPage } from './page.ts'
import { goToProject, refuseForm, type ProjectForm } from './post.ts'

/** The page "Keys". Two statements. */
export async function getKeysView(
  services: Services,
  viewer: Viewer,
  slug: string,
): Promise<ProjectKeysView> {
  const { project, view } = await getProjectPage(services, viewer, slug)
  const rows = await listKeyRows(services.store.db, project.id)
  return {
    ...view,
    keys: rows.map(({ publicKey, label, isActive, createdAt, settings }) => ({
      publicKey,
      label,
      isActive,
      createdAt,
      dsn: toProjectDsn(services.publicOrigin, { publicKey, projectId: project.id }),
      limitText: formatLimits(settings.rateLimits),
      mark: markOf([label, settings]),
    })),
  }
}

/** Makes another key. */
export async function addKey(form: ProjectForm): Promise<FormOutcome> {
  const { services, project, fields } = form
  const label = fields['label']?.trim() ?? ''
  const problem = labelProblem(label)
  if (problem !== undefined) return refuseForm(fields, [{ field: 'label', message: problem }])
  const keys = await listKeyRows(services.store.db, project.id)
  if (keys.length >= limits.keysPerProject) return tooMany(fields)
  await createProjectKey(services.store, { projectId: project.id, label, isActive: true })
  return goToProject(project, 'keys', 'key-added')
}

/** Saves what a key is called and what may be sent with it. */
export async function saveKey(form: ProjectForm): Promise<FormOutcome> {
  return withKey(form, async ({ key }) => {
    const { services, project, fields } = form
    const label = fields['label']?.trim() ?? ''
    const limit = parseLimitText(fields['limits'] ?? '')
    const problem = labelProblem(label)
    const problems = [
      ...(problem === undefined ? [] : [{ field: 'label', message: problem }]),
      ...(limit.ok ? [] : [{ field: 'limits', message: limit.problem }]),
    ]
    if (!limit.ok || problems.length > 0) return refuseForm(fields, problems)
    const stale = refuseStale(fields, markOf([key.label, key.settings]))
    if (stale !== undefined) return stale
    const settings = { ...key.settings, rateLimits: limit.limits }
    await updateProjectKey(services.store, key.publicKey, { label, settings })
    return goToProject(project, 'keys')
  })
}

/** Lets a key send, or no longer. */
export async function switchKey(form: ProjectForm): Promise<FormOutcome> {
  return withKey(form, async ({ key, keys }) => {
    const { services, project, fields } = form
    const isActive = fields['active'] === 'true'
    if (!isActive && isNeededKey(key, keys)) {
      const message = 'Culvert itself reports with this key: add another one first, then disable this.'
      return refuseForm(fields, [{ message }])
    }
    await updateProjectKey(services.store, key.publicKey, { isActive })
    return goToProject(project, 'keys', isActive ? 'key-enabled' : 'key-disabled')
  })
}

/** Makes a key that is like another one, which goes on working until somebody disables it. */
export async function rotateKey(form: ProjectForm): Promise<FormOutcome> {
  return withKey(form, async ({ key: { label, settings }, keys }) => {
    const { services, project, fields } = form
    if (keys.length >= limits.keysPerProject) return tooMany(fields)
    await createProjectKey(services.store, { projectId: project.id, label, settings, isActive: true })
    return goToProject(project, 'keys', 'key-rotated')
  })
}

interface ChosenKey {
  key: KeyRow
  /** All keys of the project. */
  keys: KeyRow[]
}

async function withKey(
  { services, project, fields }: ProjectForm,
  change: (chosen: ChosenKey) => Promise<FormOutcome>,
): Promise<FormOutcome> {
  const keys = await listKeyRows(services.store.db, project.id)
  const key = keys.find(({ publicKey }) => publicKey === fields['key'])
  return key === undefined
    ? refuseForm(fields, [{ message: 'The project has no such key any more.' }])
    : change({ key, keys })
}

function labelProblem(label: string): string | undefined {
  if (label === '') return 'Enter what tells the key apart, such as Web or Backend.'
  return label.length > limits.projectNameCharacters
    ? `Shorten it to ${limits.projectNameCharacters} characters.`
    : undefined
}

function tooMany(fields: Record<string, string>): FormOutcome {
  const message = `A project has at most ${limits.keysPerProject} keys: enable and rename one that is disabled.`
  return refuseForm(fields, [{ message }])
}
