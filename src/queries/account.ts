import { queryOptions } from '@tanstack/react-query'
import { queryTimes } from '#navigation/page-kind.ts'
import {
  fetchInvite,
  fetchLogin,
  fetchPasswordLink,
  fetchSetup,
} from '#server/console/account/account.functions.ts'

/** The available ways to sign in. */
export function loginQuery() {
  return queryOptions({
    queryKey: ['account', 'login'],
    queryFn: ({ signal }) => fetchLogin({ signal }),
    ...queryTimes('live'),
  })
}

/** True if the first account can be created. */
export function setupQuery(token: string) {
  return queryOptions({
    queryKey: ['account', 'setup', token],
    queryFn: ({ signal }) => fetchSetup({ data: { token }, signal }),
    ...queryTimes('live'),
  })
}

/** The page of an invitation. */
export function inviteQuery(token: string) {
  return queryOptions({
    queryKey: ['account', 'invite', token],
    queryFn: ({ signal }) => fetchInvite({ data: { token }, signal }),
    ...queryTimes('live'),
  })
}

/** The account of a password link. */
export function passwordLinkQuery(token: string) {
  return queryOptions({
    queryKey: ['account', 'password', token],
    queryFn: ({ signal }) => fetchPasswordLink({ data: { token }, signal }),
    ...queryTimes('live'),
  })
}
