import * as v from 'valibot'
import { answer, fieldErrorAnswer, notFoundAnswer, type ApiAnswer } from '#server/api/api-answer.ts'
import { findMembership, type ApiCall, type ApiRoute } from '#server/api/api-route.ts'
import { submitConsoleForm } from '#server/api/console/forms-routes.ts'
import { readCallBody } from '#server/api/read-body.ts'
import { findUserViewer } from '#server/auth/user-viewer.ts'
import { findProjectPageView } from '#server/console/project-settings/pages.ts'
import { projectAnswer } from './answer.ts'
import { findProject, readProject } from './find-project.ts'

const newProject = v.object({
  name: v.string(),
  slug: v.optional(v.string(), ''),
  platform: v.optional(v.nullable(v.string()), ''),
})

const projectChange = v.object({
  name: v.optional(v.string()),
  slug: v.optional(v.string()),
  platform: v.optional(v.nullable(v.string())),
})

/** Adds, renames and deletes projects, with the forms of the console. */
export const projectChangeRoutes: readonly ApiRoute[] = [
  // Sentry's older clients name a team. Culvert has none, so any name is accepted.
  ...['/organizations/{org}/projects/', '/teams/{org}/{team}/projects/'].map((path): ApiRoute => ({
    method: 'POST',
    path,
    scope: 'org:admin',
    summary: 'Adds a project, with one key. Requires the admin role.',
    body: newProject,
    answers: projectAnswer,
    statuses: [201],
    handle: addProject,
  })),
  {
    method: 'PUT',
    path: '/projects/{org}/{project}/',
    scope: 'org:admin',
    summary: 'Changes the name, the slug or the platform of a project. Requires the admin role.',
    body: projectChange,
    answers: projectAnswer,
    handle: changeProject,
  },
  {
    method: 'GET',
    path: '/projects/{org}/{project}/settings/{page}/',
    scope: 'org:admin',
    summary: 'The data of a settings page, such as limits or scrubbing: see the endpoint of forms.',
    answers: v.record(v.string(), v.unknown()),
    handle: readSettings,
  },
  {
    method: 'DELETE',
    path: '/projects/{org}/{project}/',
    scope: 'org:admin',
    summary: 'Deletes a project with all its data. Requires the admin role.',
    statuses: [204],
    handle: deleteProject,
  },
]

async function addProject(call: ApiCall): Promise<ApiAnswer> {
  const membership = findMembership(call)
  if (membership === undefined) return notFoundAnswer
  const sent = await readCallBody(call, newProject)
  if (!sent.ok) return sent.error
  const { name, slug, platform } = sent.body
  const made = await submitConsoleForm(call, '/projects/new', {
    action: 'create',
    name,
    slug,
    platform: platform ?? '',
  })
  const page = v.safeParse(v.object({ page: v.string() }), made.body)
  if (made.status !== 200 || !page.success) return made
  const project = page.output.page.split('/')[2] ?? ''
  return readChanged(call, project, 201)
}

async function changeProject(call: ApiCall): Promise<ApiAnswer> {
  const membership = findMembership(call)
  const project = membership && (await findProject(call, membership))
  if (project === undefined) return notFoundAnswer
  const sent = await readCallBody(call, projectChange)
  if (!sent.ok) return sent.error
  const { name = project.name, slug = project.slug, platform = project.platform } = sent.body
  if (Object.keys(sent.body).length === 0) return fieldErrorAnswer('detail', 'Nothing is changed.')
  const fields = { action: 'save', name, slug, platform: platform ?? '' }
  const saved = await submitConsoleForm(call, `/projects/${project.slug}`, fields)
  return saved.status === 200 ? readChanged(call, slug, 200) : saved
}

async function readSettings(call: ApiCall): Promise<ApiAnswer> {
  const membership = findMembership(call)
  const project = membership && (await findProject(call, membership))
  if (project === undefined) return notFoundAnswer
  const { page = '' } = call.params
  const view = await findProjectPageView(call.services, call.viewer, { page, slug: project.slug })
  return view === undefined ? notFoundAnswer : answer(view)
}

async function deleteProject(call: ApiCall): Promise<ApiAnswer> {
  const membership = findMembership(call)
  const project = membership && (await findProject(call, membership))
  if (project === undefined) return notFoundAnswer
  const fields = { action: 'delete', confirmation: project.slug }
  const deleted = await submitConsoleForm(call, `/projects/${project.slug}/danger`, fields)
  return deleted.status === 200 ? { status: 204 } : deleted
}

/** The project after a change. */
async function readChanged(call: ApiCall, project: string, status: number): Promise<ApiAnswer> {
  const viewer = await findUserViewer(call.services.store, call.viewer.userId)
  const changed = { ...call, viewer: viewer ?? call.viewer, params: { ...call.params, project } }
  return { ...(await readProject(changed)), status }
}
