import * as v from 'valibot'
import { deadLetterRetry } from '#queries/dead-letter-retry.ts'
import { issueAssigneeMutation } from '#queries/issues/assignee.ts'
import { issueCommentMutation } from '#queries/issues/comment.ts'
import { issueDeleteMutation, issueMergeMutation, issueUnmergeMutation } from '#queries/issues/merge.ts'
import { savedSearchMutation } from '#queries/issues/saved-search.ts'
import { issueStatusMutation } from '#queries/issues/status.ts'
import { issueUndoMutation } from '#queries/issues/undo.ts'
import { upstreamMutation } from '#queries/upstream.ts'
import type { PostedNotice, PostedUndo } from '#server/forms/form-views.ts'
import { notThere } from './failure.ts'
import type { Mutation, TakeBack } from './mutation.ts'

/** A form that a browser posted by itself, and what came of it. */
export interface EndedForm {
  /** Of the address it was posted to. */
  pathname: string
  fields: FormData
  /** What the function answered; absent where it found nothing to change. */
  result?: unknown
}

/**
 * What a person is told after a form, what undoes it, and where to go, where the page it stood on is gone.
 */
export interface FormNotice extends PostedNotice {
  leadsTo?: string
}

const tellers: { url: string; tell: (form: EndedForm) => FormNotice }[] = [
  tellerOf(issueStatusMutation),
  tellerOf(issueAssigneeMutation),
  tellerOf(issueUndoMutation),
  tellerOf(issueMergeMutation),
  tellerOf(issueUnmergeMutation),
  tellerOf(issueDeleteMutation),
  tellerOf(issueCommentMutation),
  tellerOf(savedSearchMutation),
  tellerOf(upstreamMutation),
  tellerOf(deadLetterRetry),
]

/**
 * Says without JavaScript what a mutation says with it: what was done, and what was refused for which reason.
 * Undefined for a form that is no mutation's.
 */
export function findFormNotice(form: EndedForm): FormNotice | undefined {
  return tellers.find(({ url }) => url === form.pathname)?.tell(form)
}

function tellerOf<TInput, TResult>({ url, parseForm, conclude, notDone }: Mutation<TInput, TResult>) {
  // The function of the mutation's own address answered with it.
  const answered = v.custom<TResult>(() => true)
  return {
    url,
    tell: ({ fields, result }: EndedForm): FormNotice => {
      if (result === undefined) return { text: `${notDone} ${notThere}` }
      const { text, leadsTo, undo } = conclude(parseForm(fields), v.parse(answered, result))
      return {
        text,
        ...(leadsTo !== undefined && { leadsTo }),
        ...(undo !== undefined && { undo: toPostedUndo(undo.form) }),
      }
    },
  }
}

/** One field for each value. */
function toPostedUndo({ url, input }: TakeBack['form']): PostedUndo {
  const fields = Object.entries(input).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, each]),
  )
  return { url, fields }
}
