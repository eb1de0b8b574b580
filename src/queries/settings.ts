import {
  fetchAccountSettings,
  fetchApiTokens,
  fetchMembers,
  fetchSystem,
} from '#server/console/settings/settings.functions.ts'
import { pageQuery } from './page-query.ts'

/** The user's own account. */
export function accountSettingsQuery() {
  return pageQuery(['settings', 'account'], fetchAccountSettings)
}

/** The members of the user's organizations. */
export function membersQuery() {
  return pageQuery(['settings', 'members'], fetchMembers)
}

/** The user's own API tokens. */
export function apiTokensQuery() {
  return pageQuery(['settings', 'tokens'], fetchApiTokens)
}

/** The state of the installation: a live page. */
export function systemQuery() {
  return pageQuery(['settings', 'system'], fetchSystem)
}
