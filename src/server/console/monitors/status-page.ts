import * as v from 'valibot'
import { findConfigurable, listConfigurable, type Viewer } from '#server/auth/viewer.ts'
import { definePageForms, type FormCall, type Prepared } from '#server/forms/define-page-forms.ts'
import { isTicked, text } from '#server/forms/fields.ts'
import { formsFor, reject } from '#server/forms/form.ts'
import { limits } from '#server/limits.ts'
import type { Services } from '#server/services.ts'
import { findOrganization } from '#server/store/accounts/organizations.ts'
import {
  readStatusPage,
  recordStatusPage,
  type StatusPageChoice,
} from '#server/store/monitors/status-page.ts'
import type { StatusPageSettingsView } from './views.ts'

/** The status pages of the organizations that the viewer may configure. */
export async function getStatusPageView(
  { store: { db }, publicOrigin }: Pick<Services, 'store' | 'publicOrigin'>,
  viewer: Viewer,
): Promise<StatusPageSettingsView> {
  const managed = listConfigurable(viewer)
  const organizations = await Promise.all(
    managed.map(async ({ organizationId: id, organizationName: name }) => {
      const [organization, { isPublished, choices }] = await Promise.all([
        findOrganization(db, id),
        readStatusPage(db, id),
      ])
      return {
        id,
        name,
        isPublished,
        url: `${publicOrigin}/status/${organization?.slug ?? ''}`,
        monitors: choices.map((choice) => ({
          key: fieldOf(choice),
          projectName: choice.projectName,
          name: choice.name,
          publicName: choice.publicName ?? '',
        })),
      }
    }),
  )
  return { organizations, limit: limits.statusPageMonitors }
}

/** The name of the field with the public name of a monitor. */
function fieldOf({ projectId, monitorId }: StatusPageChoice): string {
  return `name-${projectId}-${monitorId}`
}

interface StatusPageCall {
  services: Services
  organizationId: number
}

const nameCharacters = 80

const save = formsFor<StatusPageCall>()(
  v.looseObject({ isPublished: isTicked }),
  async ({ services: { store }, organizationId, fields }) => {
    const { choices } = await readStatusPage(store.db, organizationId)
    for (const choice of choices) {
      const entered = fields[fieldOf(choice)]
      // Skips a monitor that was created after the page was loaded.
      if (entered === undefined) continue
      const publicName = v.parse(v.fallback(text, ''), entered)
      choice.publicName = publicName === '' ? undefined : publicName
    }
    const problems = choices
      .filter(({ publicName = '' }) => publicName.length > nameCharacters)
      .map((choice) => ({ field: fieldOf(choice), message: `Use at most ${nameCharacters} characters.` }))
    if (problems.length > 0) return reject(problems)
    if (choices.filter(({ publicName }) => publicName !== undefined).length > limits.statusPageMonitors)
      return reject(`A status page shows at most ${limits.statusPageMonitors} monitors.`)
    const { isPublished } = fields
    await recordStatusPage(store, organizationId, { isPublished, choices })
    return {
      kind: 'done',
      text: isPublished ? 'Status page published.' : 'Status page saved. It is not published.',
    }
  },
  { fields: ['name-$project-$monitor'] },
)

/** The form of `/settings/status-page`. */
export const statusPageForms = definePageForms({ save }, { prepare: findConfigured })

async function findConfigured({ services, viewer, fields }: FormCall): Promise<Prepared<StatusPageCall>> {
  if (viewer === undefined) return { outcome: { kind: 'signed-out' } }
  const membership = findConfigurable(viewer, fields['organization'])
  if (membership === undefined) return { outcome: reject('Only admins and owners can change it.', 403) }
  return { context: { services, organizationId: membership.organizationId } }
}
