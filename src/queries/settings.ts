import { queryOptions } from '@tanstack/react-query'
import { fetchAccountSettings, fetchApiTokens, fetchMembers } from '#server/console/settings.functions.ts'
import { postedPageTimes } from './posted-page.ts'

/** One's own account. */
export function accountSettingsQuery() {
  return queryOptions({
    queryKey: ['settings', 'account'],
    queryFn: ({ signal }) => fetchAccountSettings({ signal }),
    ...postedPageTimes,
  })
}

/** The people of one's organizations. */
export function membersQuery() {
  return queryOptions({
    queryKey: ['settings', 'members'],
    queryFn: ({ signal }) => fetchMembers({ signal }),
    ...postedPageTimes,
  })
}

/** One's own tokens for the API. */
export function apiTokensQuery() {
  return queryOptions({
    queryKey: ['settings', 'tokens'],
    queryFn: ({ signal }) => fetchApiTokens({ signal }),
    ...postedPageTimes,
  })
}
