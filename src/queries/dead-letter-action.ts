import { actions } from '#server/console/forms/actions.search.ts'
import type { Action } from './changes/action.ts'

/** Retries or deletes dead letters. */
export const deadLetterAction: Action = {
  ...actions.deadLetter,
  changes: () => [
    { queryKey: ['dead-letters'] },
    { queryKey: ['outcomes'] },
    { queryKey: ['issues'] },
    { queryKey: ['projects', 'list'] },
  ],
}
