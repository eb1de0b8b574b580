import * as v from 'valibot'
import type { Mutation } from '#queries/changes/mutation.ts'
import { changeSavedSearch, savedSearchForm } from '#server/console/issues/saved-searches.functions.ts'

type Input = v.InferOutput<typeof savedSearchForm>
type Result = Awaited<ReturnType<typeof changeSavedSearch>>

const doneTexts: Record<Input['action'], string> = {
  save: 'Search saved.',
  change: 'Search changed.',
  delete: 'Search deleted.',
  default: 'Default view updated.',
}

const refusalTexts: Record<Extract<Result, { refused: string }>['refused'], string> = {
  too_many: 'Not saved: you have as many searches as can be kept. Delete one first.',
  may_not_share: 'Not shared: that needs a member of the organization.',
}

/**
 * Keeps, renames, shares or deletes a search of the stream, or makes it the one that the stream begins with.
 */
export const savedSearchMutation: Mutation<Input, Result> = {
  url: changeSavedSearch.url,
  parseForm: (form) => v.parse(savedSearchForm, Object.fromEntries(form)),
  send: changeSavedSearch,
  changes: () => [{ queryKey: ['issues', 'list'] }],
  foresee: () => undefined,
  notDone: 'The search was not changed.',
  conclude: ({ action }, result) => ({
    text: 'refused' in result ? refusalTexts[result.refused] : doneTexts[action],
  }),
}
