import { actions } from '#server/console/forms/actions.search.ts'
import type { Action } from './changes/action.ts'

/** Runs a dead letter again. */
export const deadLetterAction: Action = {
  ...actions.deadLetter,
  changes: () => [
    { queryKey: ['dead-letters'] },
    { queryKey: ['outcomes'] },
    { queryKey: ['issues'] },
    { queryKey: ['projects', 'list'] },
  ],
}
