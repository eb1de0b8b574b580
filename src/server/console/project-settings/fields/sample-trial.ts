import type { ProjectCall } from '#server/console/project-settings/project-form.ts'
import type { FormResult } from '#server/forms/form-views.ts'
import { reject, type FormOutcome } from '#server/forms/form.ts'
import { findSampleEvent, type SampleEvent } from '#server/store/events/samples.ts'

/**
 * Shows what entered settings do to an event: the one whose id or digest was entered, or the latest one if
 * none was. Stores nothing. `event`: the content of the field of that name. One statement.
 */
export async function tryOnEvent(
  { services, project }: ProjectCall,
  event: string,
  run: (sample: SampleEvent) => FormResult | Promise<FormResult>,
): Promise<FormOutcome> {
  const id = event.replaceAll('-', '').toLowerCase()
  if (id !== '' && !/^[0-9a-f]{12,32}$/.test(id))
    return rejectEvent('Enter an event’s id or digest: 12 to 32 hex digits. Empty: the latest event.')
  const sample = await findSampleEvent(services.store.db, { projectId: project.id, ...(id !== '' && { id }) })
  if (sample === undefined)
    return rejectEvent(
      'Event not found in this project. Leave empty for the latest event of an unresolved issue.',
    )
  return { kind: 'shown', shown: await run(sample) }
}

function rejectEvent(message: string): FormOutcome {
  return reject([{ field: 'event', message }])
}
