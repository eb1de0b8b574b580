import type { Viewer } from '#server/auth/viewer.ts'
import { findEventView } from '#server/console/events/events.ts'
import type { EventPageView } from '#server/console/events/views.ts'
import type { Services } from '#server/services.ts'

/** The view of an event that exists. */
export async function getEventView(
  services: Services,
  viewer: Viewer,
  eventId: string,
): Promise<EventPageView> {
  const view = await findEventView(services, viewer, eventId)
  if (view === undefined) throw new Error(`there is no event ${eventId}`)
  return view
}
