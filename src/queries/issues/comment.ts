import * as v from 'valibot'
import { formFields } from '#queries/changes/form-fields.ts'
import type { Mutation } from '#queries/changes/mutation.ts'
import { commentForm, setComment } from '#server/console/issues/actions.functions.ts'

type CommentInput = v.InferOutput<typeof commentForm>
type CommentResult = Awaited<ReturnType<typeof setComment>>

/**
 * Writes, changes or deletes a comment. What it looks like is told by the server, which alone reads Markdown.
 */
export const issueCommentMutation: Mutation<CommentInput, CommentResult> = {
  url: setComment.url,
  parseForm: (form) => v.parse(commentForm, formFields(form)),
  send: setComment,
  changes: ({ issueId }) => [{ queryKey: ['issues', 'one', issueId] }],
  foresee: () => undefined,
  notDone: 'The comment was not saved.',
  conclude: ({ commentId, does }) => {
    if (does === 'delete') return { text: 'Comment deleted.' }
    return { text: commentId === undefined ? 'Comment added.' : 'Comment changed.' }
  },
}
