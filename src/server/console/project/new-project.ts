import { findFormState, type FormOutcome, type PostedForm } from '#server/auth/page-form.ts'
import { isAllowed, parseRole } from '#server/auth/roles.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import type { NewProjectView } from '#server/console/project-views.ts'
import type { Services } from '#server/services.ts'
import { listMembers } from '#server/store/members.ts'
import { createProject, hasProjectSlug } from '#server/store/projects.ts'
import { namingProblems, parseNaming } from './general.ts'
import { goToProject, refuseForm } from './post.ts'

/** The screen `/projects/new`: one statement for each organization in which the viewer may make projects. */
export async function getNewProjectView(services: Services, viewer: Viewer): Promise<NewProjectView> {
  const form = findFormState()
  const organizations = configurable(viewer).map(async ({ organizationId: id, organizationName: name }) => {
    const members = await listMembers(services.store.db, id)
    return {
      id,
      name,
      members: members.filter(reachesSome).map(({ userId, name: of }) => ({ userId, name: of })),
    }
  })
  return { organizations: await Promise.all(organizations), ...(form && { form }) }
}

/** True for who reaches only the projects that they are let into. */
function reachesSome({ role, projectIds }: { role: string; projectIds?: number[] }): boolean {
  const known = parseRole(role)
  return projectIds !== undefined && (known === undefined || !isAllowed(known, 'configure'))
}

function configurable({ memberships }: Viewer) {
  return memberships.filter(({ role }) => isAllowed(role, 'configure'))
}

/** Makes the project and goes on to its set-up. */
export async function postNewProject(
  services: Services,
  { request, fields }: PostedForm,
): Promise<FormOutcome> {
  const viewer = await services.accounts.findViewer(request.headers)
  if (viewer === undefined) return { kind: 'go', to: '/login?to=%2Fprojects%2Fnew' }
  const organizations = configurable(viewer)
  const organization =
    organizations.find(({ organizationId }) => String(organizationId) === fields['organization']) ??
    (fields['organization'] === undefined ? organizations[0] : undefined)
  if (organization === undefined) {
    const message = 'Nothing was made: only admins and owners of an organization make projects.'
    return { kind: 'again', status: 403, values: fields, problems: [{ message }] }
  }
  const { slug, ...naming } = parseNaming(fields)
  // Without a slug one is made from the name.
  const problems = namingProblems({ ...naming, slug: slug === '' ? 'from-name' : slug })
  if (slug !== '' && problems.length === 0 && (await hasProjectSlug(services.store.db, slug)))
    problems.push({ field: 'slug', message: `Another project is ${slug} already: choose another one.` })
  if (problems.length > 0) return refuseForm(fields, problems)
  const project = await createProject(services.store, {
    ...naming,
    ...(slug !== '' && { slug }),
    organizationId: organization.organizationId,
    memberIds: Object.keys(fields).flatMap((field) => /^member-(.+)$/.exec(field)?.[1] ?? []),
  })
  services.accounts.forgetViewers()
  await services.projectKeys.refresh()
  return goToProject(project, 'setup', 'created')
}
