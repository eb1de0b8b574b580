import type { QueryClient } from '@tanstack/react-query'
import * as v from 'valibot'
import { formFields } from '#queries/changes/form-fields.ts'
import { takeBackBy } from '#queries/changes/mutation.ts'
import type { Mutation, TakeBack } from '#queries/changes/mutation.ts'
import { undoAction, undoForm } from '#server/console/issues/actions.functions.ts'
import { describeDone, issuePages } from './changes.ts'
import { issueSubjects } from './subjects.ts'

type UndoInput = v.InferOutput<typeof undoForm>
type UndoResult = Awaited<ReturnType<typeof undoAction>>

/** Undoes an action on issues. */
export const issueUndoMutation: Mutation<UndoInput, UndoResult> = {
  url: undoAction.url,
  parseForm: (form) => v.parse(undoForm, formFields(form, ['issueIds'])),
  send: undoAction,
  subjects: issueSubjects,
  changes: issuePages,
  foresee: () => undefined,
  notDone: 'Couldn’t undo.',
  conclude: (_input, result) => ({ text: describeDone('Undone', result) }),
}

/** Takes an action on issues back; `foresee` shows at once how they were before. */
export function undoOf(
  { actionId, issueIds }: UndoInput,
  foresee: (queryClient: QueryClient) => void,
): TakeBack {
  return takeBackBy({ ...issueUndoMutation, foresee }, { actionId, issueIds })
}
