import { notFound } from '@tanstack/react-router'
import { isAllowed, type Permission } from '#server/auth/roles.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import type { Services } from '#server/services.ts'
import {
  recordDefaultSearch,
  recordSavedSearch,
  recordSavedSearchChange,
  recordSavedSearchDeletion,
} from '#server/store/issues/saved-searches.ts'
import type { SavedSearchInput } from './saved-searches.functions.ts'

/** What came of it. Sharing needs a member of the organization. */
export type SavedSearchResult = { done: true } | { refused: 'too_many' | 'may_not_share' }

/**
 * Changes the searches that somebody keeps. Throws the router's not-found for one that is not theirs to
 * change.
 */
export async function changeSavedSearches(
  { store }: Pick<Services, 'store'>,
  viewer: Viewer,
  input: SavedSearchInput,
): Promise<SavedSearchResult> {
  const { userId } = viewer
  const changer = { userId, governedOrganizations: organizationsWith(viewer, 'configure') }
  switch (input.action) {
    case 'save': {
      const { name, sharedWith, action: _action, cursor: _cursor, ...search } = input
      const organizationId = toOrganization(sharedWith)
      if (!mayShare(viewer, organizationId)) return { refused: 'may_not_share' }
      const shared = organizationId === null ? {} : { organizationId }
      const id = await recordSavedSearch(store, { userId, name, search, ...shared })
      return id === undefined ? { refused: 'too_many' } : { done: true }
    }
    case 'change': {
      const organizationId = toOrganization(input.sharedWith)
      if (!mayShare(viewer, organizationId)) return { refused: 'may_not_share' }
      const change = { name: input.name, organizationId }
      return foundOrThrow(await recordSavedSearchChange(store, input.id, { changer, change }))
    }
    case 'delete':
      return foundOrThrow(await recordSavedSearchDeletion(store, input.id, changer))
    case 'default':
      break
  }
  const organizationIds = viewer.memberships.map(({ organizationId }) => organizationId)
  const id = input.id === '' ? undefined : input.id
  return foundOrThrow(await recordDefaultSearch(store, { userId, organizationIds }, id))
}

function organizationsWith(viewer: Viewer, permission: Permission): number[] {
  return viewer.memberships
    .filter(({ role }) => isAllowed(role, permission))
    .map(({ organizationId }) => organizationId)
}

function toOrganization(text: string): number | null {
  return text === '' ? null : Number(text)
}

function mayShare(viewer: Viewer, organizationId: number | null): boolean {
  return organizationId === null || organizationsWith(viewer, 'triage').includes(organizationId)
}

function foundOrThrow(isFound: boolean): SavedSearchResult {
  if (!isFound) throw notFound()
  return { done: true }
}
