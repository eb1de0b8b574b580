import * as v from 'valibot'
import { keptSearch } from '#search/kept-search.ts'
import { isAllowed, type Permission } from '#server/auth/roles.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import { actionForm, defineAction } from '#server/console/forms/action-form.ts'
import { actions } from '#server/console/forms/actions.search.ts'
import { rawText, nameText } from '#server/forms/fields.ts'
import { reject, type FormOutcome } from '#server/forms/form.ts'
import {
  recordDefaultSearch,
  recordSavedSearch,
  recordSavedSearchChange,
  recordSavedSearchDeletion,
} from '#server/store/issues/saved-searches.ts'
import { appConfig } from '../../../../app.config.ts'
import { savedIssueSearch } from './issues.search.ts'

const id = v.pipe(rawText, v.maxLength(40))
const name = nameText('Enter a name.', appConfig.savedSearchNameCharacters)
/** An organization's id; empty for a search of the user's own. */
const sharedWith = v.pipe(
  rawText,
  v.regex(/^\d{0,15}$/),
  v.transform((entered) => (entered === '' ? null : Number(entered))),
)

const notShared = reject('Only members of the organization can share searches.')
const tooMany = reject('You have reached the maximum number of saved searches. Delete one first.')

const saveFields = v.object({
  ...savedIssueSearch.entries,
  q: v.pipe(
    savedIssueSearch.entries.q,
    v.transform((q) => (q === undefined ? q : keptSearch(q))),
  ),
  name,
  sharedWith,
})

const save = actionForm(saveFields, async ({ services: { store }, viewer, fields }) => {
  const { name: of, sharedWith: organizationId, ...search } = fields
  if (!canShare(viewer, organizationId)) return notShared
  const shared = organizationId === null ? {} : { organizationId }
  const saved = await recordSavedSearch(store, { userId: viewer.userId, name: of, search, ...shared })
  return saved === undefined ? tooMany : { kind: 'done', text: 'Search saved.' }
})

const change = actionForm(
  v.object({ id, name, sharedWith }),
  async ({ services: { store }, viewer, fields }) => {
    const { sharedWith: organizationId } = fields
    if (!canShare(viewer, organizationId)) return notShared
    const changed = { name: fields.name, organizationId }
    const changer = toChanger(viewer)
    return found(
      'Search changed.',
      await recordSavedSearchChange(store, fields.id, { changer, change: changed }),
    )
  },
)

const deletion = actionForm(v.object({ id }), async ({ services: { store }, viewer, fields }) =>
  found('Search deleted.', await recordSavedSearchDeletion(store, fields.id, toChanger(viewer))),
)

/** Without an id, clears the default search. */
const setDefault = actionForm(v.object({ id }), async ({ services: { store }, viewer, fields }) => {
  const organizationIds = viewer.memberships.map(({ organizationId }) => organizationId)
  const reader = { userId: viewer.userId, organizationIds }
  const isFound = await recordDefaultSearch(store, reader, fields.id === '' ? undefined : fields.id)
  return found('Default view updated.', isFound)
})

/** Saves, renames, shares or deletes a search, or makes it the default. */
export const savedSearchForms = defineAction(actions.savedSearch, {
  save,
  change,
  delete: deletion,
  default: setDefault,
})

function toChanger(viewer: Viewer) {
  return { userId: viewer.userId, governedOrganizations: organizationsWith(viewer, 'configure') }
}

function organizationsWith(viewer: Viewer, permission: Permission): number[] {
  return viewer.memberships
    .filter(({ role }) => isAllowed(role, permission))
    .map(({ organizationId }) => organizationId)
}

function canShare(viewer: Viewer, organizationId: number | null): boolean {
  return organizationId === null || organizationsWith(viewer, 'triage').includes(organizationId)
}

function found(done: string, isFound: boolean): FormOutcome {
  return isFound ? { kind: 'done', text: done } : reject('It no longer exists.')
}
