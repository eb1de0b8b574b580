import { createServerFn } from '@tanstack/react-start'
import { signedIn } from '#server/auth/session-middleware.functions.ts'
import { inboxSearch } from './inbox.search.ts'
import { getInboxView } from './inbox.ts'
import { getNotificationSettingsView } from './notification-settings.ts'

/** The viewer's inbox. */
export const fetchInbox = createServerFn({ method: 'GET' })
  .middleware([signedIn])
  .validator(inboxSearch)
  .handler(({ data, context }) => getInboxView(context.services, context.viewer, data))

/** How the viewer wants to be told. */
export const fetchNotificationSettings = createServerFn({ method: 'GET' })
  .middleware([signedIn])
  .handler(({ context }) => getNotificationSettingsView(context.services, context.viewer))
