import * as v from 'valibot'
import { exactCount } from '#numbers/number-text.ts'
import { projectsWith } from '#server/auth/viewer.ts'
import { actionForm, defineAction, notThere } from '#server/console/forms/action-form.ts'
import { actions } from '#server/console/forms/actions.search.ts'
import { rawText, text } from '#server/forms/fields.ts'
import { reject } from '#server/forms/form.ts'
import { parseIssueId } from '#server/store/issues/id.ts'
import { recordComment, recordCommentChange } from '#server/store/triage/comments.ts'
import { appConfig } from '../../../../app.config.ts'

const commentFields = v.object({
  issueId: rawText,
  /** Empty for a new comment. */
  commentId: v.pipe(rawText, v.maxLength(64)),
  text: v.pipe(
    text,
    v.maxLength(
      appConfig.commentCharacters,
      `Enter at most ${exactCount(appConfig.commentCharacters)} characters.`,
    ),
  ),
  does: v.pipe(rawText, v.picklist(['save', 'delete', ''])),
})

/** Adds, edits or deletes a comment of the viewer. */
export const issueCommentForms = defineAction(actions.issueComment, {
  comment: actionForm(commentFields, async ({ services: { store, clock }, viewer, fields }) => {
    const { issueId, commentId, text: written, does } = fields
    const target = { issueId: parseIssueId(issueId) ?? -1, projectIds: projectsWith(viewer, 'triage') }
    const isDeleted = does === 'delete'
    if (written === '' && !isDeleted) return reject([{ field: 'text', message: 'Enter a comment.' }])
    const actor = { userId: viewer.userId, at: clock() }
    if (commentId === '') {
      const isAdded = await recordComment(store, target, { ...actor, text: written })
      return isAdded ? { kind: 'done', text: 'Comment added.' } : notThere
    }
    const change = { ...actor, commentId, ...(!isDeleted && { text: written }) }
    if (!(await recordCommentChange(store, target, change))) return notThere
    return { kind: 'done', text: isDeleted ? 'Comment deleted.' : 'Comment changed.' }
  }),
})
