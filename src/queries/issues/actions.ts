import type { Action } from '#queries/changes/action.ts'
import { fieldOf, fieldsOf } from '#queries/changes/read-fields.ts'
import { actions } from '#server/console/forms/actions.search.ts'
import { issueIdsOf, issuePages } from './changes.ts'
import { issueSubjects } from './subjects.ts'

/** The common part of the actions on issues. */
export const onIssues = {
  subjects: (form: FormData) => issueSubjects(issueIdsOf(form)),
  changes: (form: FormData) => issuePages(issueIdsOf(form)),
}

/** Undoes an action on issues. */
export const issueUndoAction: Action = { ...actions.issueUndo, ...onIssues }

/** Merges issues into `intoId`, or into the one with the most events. */
export const issueMergeAction: Action = {
  ...actions.issueMerge,
  ...onIssues,
  undoneBy: () => issueUndoAction,
}

/** Unmerges merged issues. */
export const issueUnmergeAction: Action = {
  ...actions.issueUnmerge,
  subjects: (form) => issueSubjects([...issueIdsOf(form), ...fieldsOf(form, 'partIds')]),
  changes: (form) => issuePages([...issueIdsOf(form), ...fieldsOf(form, 'partIds')]),
  undoneBy: () => issueUndoAction,
}

/** Deletes issues, and with `discards` drops future events of them. It cannot be undone. */
export const issueDeletionAction: Action = {
  ...actions.issueDeletion,
  subjects: onIssues.subjects,
  // The issues' own pages are not reloaded, because they no longer exist.
  changes: () => [
    { queryKey: ['issues', 'list'] },
    { queryKey: ['projects', 'list'] },
    { queryKey: ['outcomes'] },
  ],
}

/** Adds, changes or deletes a comment. Only the server renders Markdown. */
export const issueCommentAction: Action = {
  ...actions.issueComment,
  changes: (form) => [{ queryKey: ['issues', 'one', fieldOf(form, 'issueId')] }],
}

/** Creates an issue in the tracker, links one, or removes a link. */
export const issueLinkAction: Action = {
  ...actions.issueLink,
  changes: (form) => [{ queryKey: ['issues', 'one', fieldOf(form, 'issueId')] }],
}

/** Saves, renames, shares or deletes a search, or makes it the default view. */
export const savedSearchAction: Action = {
  ...actions.savedSearch,
  changes: () => [{ queryKey: ['issues', 'list'] }],
}
