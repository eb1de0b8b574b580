import * as v from 'valibot'
import { formFields } from '#queries/changes/form-fields.ts'
import type { Mutation } from '#queries/changes/mutation.ts'
import {
  deleteForm,
  deleteIssue,
  mergeForm,
  setMerged,
  setUnmerged,
  unmergeForm,
} from '#server/console/issues/actions.functions.ts'
import { describeDone, issuePages } from './changes.ts'
import { issueSubjects } from './subjects.ts'
import { undoOf } from './undo.ts'

type MergeInput = v.InferOutput<typeof mergeForm>
type MergeResult = Awaited<ReturnType<typeof setMerged>>

const mergeRefusals: Record<Extract<MergeResult, { refused: string }>['refused'], string> = {
  'no-such-issue': 'there is no issue that you may change under that link or id.',
  'fewer-than-two': 'choose at least two different issues.',
  'different-projects': 'they belong to different projects.',
  'too-many-events': 'too many events to merge. Keep the largest issue as the target.',
}

/** Merges issues into `intoId`, or into the one with the most events. */
export const issueMergeMutation: Mutation<MergeInput, MergeResult> = {
  url: setMerged.url,
  parseForm: (form) => v.parse(mergeForm, formFields(form, ['issueIds'])),
  send: setMerged,
  subjects: issueSubjects,
  changes: issuePages,
  foresee: () => undefined,
  notDone: 'Nothing was merged.',
  conclude: (_input, result) => {
    if ('refused' in result) return { text: `Nothing was merged: ${mergeRefusals[result.refused]}` }
    return {
      text: describeDone('Merged', result),
      undo: undoOf({ ...result, issueIds: [result.intoId] }, () => undefined),
    }
  },
}

type UnmergeInput = v.InferOutput<typeof unmergeForm>
type UnmergeResult = Awaited<ReturnType<typeof setUnmerged>>

const unmergeRefusals: Record<Extract<UnmergeResult, { refused: string }>['refused'], string> = {
  'no-such-part': 'it is not part of this issue any more.',
  'nothing-left': 'no event would be left in this issue.',
}

/** Takes parts out of a merged issue: each is an issue of its own again. */
export const issueUnmergeMutation: Mutation<UnmergeInput, UnmergeResult> = {
  url: setUnmerged.url,
  parseForm: (form) => v.parse(unmergeForm, formFields(form, ['issueIds', 'partIds'])),
  send: setUnmerged,
  subjects: ({ issueIds, partIds }) => issueSubjects({ issueIds: [...issueIds, ...partIds] }),
  changes: ({ issueIds, partIds }) => issuePages({ issueIds: [...issueIds, ...partIds] }),
  foresee: () => undefined,
  notDone: 'Couldn’t unmerge.',
  conclude: ({ partIds }, result) =>
    'refused' in result
      ? { text: `Couldn’t unmerge: ${unmergeRefusals[result.refused]}` }
      : {
          text: partIds.length === 1 ? 'Unmerged.' : `Unmerged: ${partIds.length} issues.`,
          undo: undoOf(result, () => undefined),
        },
}

type DeleteInput = v.InferOutput<typeof deleteForm>
type DeleteResult = Awaited<ReturnType<typeof deleteIssue>>

/** Deletes issues, and with `discards` every event that would open them again. It cannot be taken back. */
export const issueDeleteMutation: Mutation<DeleteInput, DeleteResult> = {
  url: deleteIssue.url,
  parseForm: (form) => v.parse(deleteForm, formFields(form, ['issueIds'])),
  send: deleteIssue,
  subjects: issueSubjects,
  // Their own pages are not read again: there is nothing to read.
  changes: () => [
    { queryKey: ['issues', 'list'] },
    { queryKey: ['projects', 'list'] },
    { queryKey: ['outcomes'] },
  ],
  foresee: () => undefined,
  notDone: 'Nothing was deleted.',
  conclude: ({ discards }, result) => ({
    text: describeDone(discards === 'yes' ? 'Deleted, and discarded from now on' : 'Deleted', result),
    leadsTo: '/issues',
  }),
}

/** The same from the list of issues, which stays. */
export const issuesDeleteMutation: Mutation<DeleteInput, DeleteResult> = {
  ...issueDeleteMutation,
  conclude: (input, result) => ({ text: issueDeleteMutation.conclude(input, result).text }),
}
