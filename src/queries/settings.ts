import { queryOptions } from '@tanstack/react-query'
import { queryTimes } from '#navigation/page-kind.ts'
import {
  fetchAccountSettings,
  fetchApiTokens,
  fetchMembers,
  fetchSystem,
} from '#server/console/settings/settings.functions.ts'

/** The user's own account. */
export function accountSettingsQuery() {
  return queryOptions({
    queryKey: ['settings', 'account'],
    queryFn: ({ signal }) => fetchAccountSettings({ signal }),
    ...queryTimes('live'),
  })
}

/** The members of the user's organizations. */
export function membersQuery() {
  return queryOptions({
    queryKey: ['settings', 'members'],
    queryFn: ({ signal }) => fetchMembers({ signal }),
    ...queryTimes('live'),
  })
}

/** The user's own API tokens. */
export function apiTokensQuery() {
  return queryOptions({
    queryKey: ['settings', 'tokens'],
    queryFn: ({ signal }) => fetchApiTokens({ signal }),
    ...queryTimes('live'),
  })
}

/** The state of the installation: a live page. */
export function systemQuery() {
  return queryOptions({
    queryKey: ['settings', 'system'],
    queryFn: ({ signal }) => fetchSystem({ signal }),
    ...queryTimes('live'),
  })
}
