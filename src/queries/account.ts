import {
  fetchInvite,
  fetchLogin,
  fetchPasswordLink,
  fetchSetup,
} from '#server/console/account/account.functions.ts'
import { pageQuery, pageQueryFor } from './page-query.ts'

/** The available ways to sign in. */
export function loginQuery() {
  return pageQuery(['account', 'login'], fetchLogin)
}

/** True if the first account can be created. */
export function setupQuery({ token = '' }: { token?: string | undefined }) {
  return pageQueryFor(['account', 'setup'], fetchSetup, { token })
}

/** The page of an invitation. */
export function inviteQuery(token: string) {
  return pageQueryFor(['account', 'invite'], fetchInvite, { token })
}

/** The account of a password link. */
export function passwordLinkQuery(token: string) {
  return pageQueryFor(['account', 'password'], fetchPasswordLink, { token })
}
