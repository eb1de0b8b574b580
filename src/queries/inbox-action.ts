import { actions } from '#server/console/forms/actions.search.ts'
import type { Action } from './changes/action.ts'

/** Marks items of the inbox as read or unread. The bell is data of the shell. */
export const inboxAction: Action = {
  ...actions.inbox,
  changes: () => [{ queryKey: ['inbox'] }, { queryKey: ['shell'] }],
}
