import * as v from 'valibot'
import { assignForm, setAssignee } from '#server/console/issue-actions.functions.ts'
import { formFields } from './form-fields.ts'
import { describeDone, issuePages } from './issue-changes.ts'
import { undoOf } from './issue-undo.ts'
import type { Mutation } from './mutation.ts'

type AssignInput = v.InferOutput<typeof assignForm>
type AssignResult = Awaited<ReturnType<typeof setAssignee>>

/** Gives issues to somebody, to `me` or to `nobody`. Whose name it will be is told by the page that is loaded anew. */
export const issueAssigneeMutation: Mutation<AssignInput, AssignResult> = {
  url: setAssignee.url,
  parseForm: (form) => v.parse(assignForm, formFields(form, ['issueIds'])),
  send: setAssignee,
  changes: issuePages,
  foresee: () => undefined,
  notDone: 'Nobody was assigned.',
  conclude: ({ assignee }, result) =>
    'refused' in result
      ? { text: 'Not assigned: that person does not reach the project of every one of these issues.' }
      : {
          text: describeDone(assignee === 'nobody' ? 'Assigned to nobody' : 'Assigned', result),
          undo: undoOf(result, () => undefined),
        },
}
