import * as v from 'valibot'
import { isAllowed, parseRole } from '#server/auth/roles.ts'
import { listConfigurable, type Viewer } from '#server/auth/viewer.ts'
import { definePageForms } from '#server/forms/define-page-forms.ts'
import { rawText, texts } from '#server/forms/fields.ts'
import { formsFor, reject } from '#server/forms/form.ts'
import type { Services } from '#server/services.ts'
import { listMembers } from '#server/store/accounts/members.ts'
import { createProject, hasProjectSlug } from '#server/store/projects/projects.ts'
import { newNamingFields, slugInUseText } from './naming.ts'
import type { NewProjectView } from './views.ts'

/** The data of `/projects/new`: one statement for each organization in which the viewer creates projects. */
export async function getNewProjectView(services: Services, viewer: Viewer): Promise<NewProjectView> {
  const organizations = listConfigurable(viewer).map(
    async ({ organizationId: id, organizationName: name }) => {
      const members = await listMembers(services.store.db, id)
      return {
        id,
        name,
        members: members.filter(reachesSome).map(({ userId, name: of }) => ({ userId, name: of })),
      }
    },
  )
  return { organizations: await Promise.all(organizations) }
}

/** True for a member who has access only to projects that they were added to. */
function reachesSome({ role, projectIds }: { role: string; projectIds?: number[] }): boolean {
  const known = parseRole(role)
  return projectIds !== undefined && (known === undefined || !isAllowed(known, 'configure'))
}

const newProjectFields = v.object({ ...newNamingFields.entries, organization: rawText, members: texts })

const create = formsFor<{ services: Services; viewer: Viewer }>()(
  newProjectFields,
  async ({ services, viewer, fields }) => {
    const { name, slug, platform, organization: entered, members } = fields
    const organizations = listConfigurable(viewer)
    const organization =
      entered === ''
        ? organizations[0]
        : organizations.find(({ organizationId }) => String(organizationId) === entered)
    if (organization === undefined)
      return reject('Not created: only admins and owners of an organization can create projects.', 403)
    if (slug !== '' && (await hasProjectSlug(services.store.db, slug)))
      return reject([{ field: 'slug', message: slugInUseText(slug) }])
    const project = await createProject(services.store, {
      name,
      platform,
      ...(slug !== '' && { slug }),
      organizationId: organization.organizationId,
      memberIds: members,
    })
    services.accounts.forgetViewers()
    await services.projectKeys.refresh()
    return {
      kind: 'done',
      text: 'Project created. Next: connect an SDK.',
      leadsTo: `/projects/${project.slug}/setup`,
    }
  },
)

/** The form of `/projects/new`. */
export const newProjectForms = definePageForms(
  { create },
  {
    prepare: async ({ services, viewer }) =>
      viewer === undefined ? { outcome: { kind: 'signed-out' } } : { context: { services, viewer } },
  },
)
