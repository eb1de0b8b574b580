import { queryOptions } from '@tanstack/react-query'
import { fetchAccountSettings, fetchMembers } from '#server/console/settings.functions.ts'

/** Pages with forms that post to themselves: what they show is true for one document only. */
const neverKept = { staleTime: 0, gcTime: 0 }

/** One's own account. */
export function accountSettingsQuery() {
  return queryOptions({
    queryKey: ['settings', 'account'],
    queryFn: ({ signal }) => fetchAccountSettings({ signal }),
    ...neverKept,
  })
}

/** The people of one's organizations. */
export function membersQuery() {
  return queryOptions({
    queryKey: ['settings', 'members'],
    queryFn: ({ signal }) => fetchMembers({ signal }),
    ...neverKept,
  })
}
