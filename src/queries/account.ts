import { queryOptions } from '@tanstack/react-query'
import { fetchInvite, fetchLogin, fetchPasswordLink, fetchSetup } from '#server/console/account.functions.ts'

/** Pages with a form that posts to itself: what they show is true for one document only. */
const neverKept = { staleTime: 0, gcTime: 0 }

/** How one can sign in. */
export function loginQuery() {
  return queryOptions({
    queryKey: ['account', 'login'],
    queryFn: ({ signal }) => fetchLogin({ signal }),
    ...neverKept,
  })
}

/** Whether there is a first account to make. */
export function setupQuery() {
  return queryOptions({
    queryKey: ['account', 'setup'],
    queryFn: ({ signal }) => fetchSetup({ signal }),
    ...neverKept,
  })
}

/** What an invitation opens. */
export function inviteQuery(token: string) {
  return queryOptions({
    queryKey: ['account', 'invite', token],
    queryFn: ({ signal }) => fetchInvite({ data: { token }, signal }),
    ...neverKept,
  })
}

/** Whose password a link sets. */
export function passwordLinkQuery(token: string) {
  return queryOptions({
    queryKey: ['account', 'password', token],
    queryFn: ({ signal }) => fetchPasswordLink({ data: { token }, signal }),
    ...neverKept,
  })
}
