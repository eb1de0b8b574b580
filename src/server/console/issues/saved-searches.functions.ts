import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { keptSearch } from '#search/kept-search.ts'
import { signedIn } from '#server/auth/access.functions.ts'
import { postedForm } from '#server/console/forms/posted-form.ts'
import { appConfig } from '../../../../app.config.ts'
import { issueListSearch } from './issues.search.ts'
import { changeSavedSearches } from './saved-searches.ts'
import { listTagValues } from './tag-values.ts'

const id = v.pipe(v.string(), v.maxLength(40))
const name = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(appConfig.savedSearchNameCharacters))
/** An organization's id; empty: nobody but its maker has it. */
const sharedWith = v.pipe(v.string(), v.regex(/^\d{0,15}$/))

/** What the forms around saved searches post. */
export const savedSearchForm = v.variant('action', [
  v.object({
    ...issueListSearch.entries,
    q: v.pipe(
      issueListSearch.entries.q,
      v.transform((q) => (q === undefined ? q : keptSearch(q))),
    ),
    action: v.literal('save'),
    name,
    sharedWith: v.optional(sharedWith, ''),
  }),
  v.object({ action: v.literal('change'), id, name, sharedWith }),
  v.object({ action: v.literal('delete'), id }),
  /** Empty: the stream begins without a search. */
  v.object({ action: v.literal('default'), id }),
])

export type SavedSearchInput = v.InferOutput<typeof savedSearchForm>

/** Keeps, renames, shares or deletes a search, or makes it the one the stream begins with. */
export const changeSavedSearch = createServerFn({ method: 'POST' })
  .middleware([signedIn])
  .validator(postedForm(savedSearchForm))
  .handler(({ data, context }) => changeSavedSearches(context.services, context.viewer, data))

const short = v.pipe(v.string(), v.maxLength(200))

/** The values of a tag that begin with a text, in the projects of whoever asks. */
export const fetchTagValues = createServerFn({ method: 'GET' })
  .middleware([signedIn])
  .validator(v.object({ key: short, begin: short }))
  .handler(({ data, context }) => listTagValues(context.services, context.viewer, data))
