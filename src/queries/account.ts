import {
  fetchInvite,
  fetchLogin,
  fetchPasswordLink,
  fetchSetup,
} from '#server/console/account/account.functions.ts'
import { pageQuery } from './page-query.ts'

/** The available ways to sign in. */
export function loginQuery() {
  return pageQuery('live', ['account', 'login'], ({ signal }) => fetchLogin({ signal }))
}

/** True if the first account can be created. */
export function setupQuery(token: string) {
  return pageQuery('live', ['account', 'setup', token], ({ signal }) =>
    fetchSetup({ data: { token }, signal }),
  )
}

/** The page of an invitation. */
export function inviteQuery(token: string) {
  return pageQuery('live', ['account', 'invite', token], ({ signal }) =>
    fetchInvite({ data: { token }, signal }),
  )
}

/** The account of a password link. */
export function passwordLinkQuery(token: string) {
  return pageQuery('live', ['account', 'password', token], ({ signal }) =>
    fetchPasswordLink({ data: { token }, signal }),
  )
}
