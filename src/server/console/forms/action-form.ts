import type { Viewer } from '#server/auth/viewer.ts'
import { definePageForms, type PageForms } from '#server/forms/define-page-forms.ts'
import { formsFor, reject, type FormDefinition } from '#server/forms/form.ts'
import type { Services } from '#server/services.ts'

/** A signed-in user and the services that an action needs. */
interface ActionCall {
  services: Services
  viewer: Viewer
}

/** Defines the form of an action: its schema and its handler. */
export const actionForm = formsFor<ActionCall>()

/** Defines the forms of one action. */
export function defineAction(
  { notDone }: { notDone: string },
  forms: Record<string, FormDefinition<ActionCall>>,
): PageForms {
  const page = definePageForms(forms, {
    prepare: async ({ services, viewer }) =>
      viewer === undefined ? { outcome: { kind: 'signed-out' } } : { context: { services, viewer } },
  })
  return { ...page, notDone }
}

/** The outcome of an action whose subject does not exist, or that the user has no access to. */
export const notThere = reject('This no longer exists.')
