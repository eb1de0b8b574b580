import {
  fetchAccountSettings,
  fetchApiTokens,
  fetchMembers,
  fetchSystem,
} from '#server/console/settings/settings.functions.ts'
import { pageQuery } from './page-query.ts'

/** The user's own account. */
export function accountSettingsQuery() {
  return pageQuery('live', ['settings', 'account'], ({ signal }) => fetchAccountSettings({ signal }))
}

/** The members of the user's organizations. */
export function membersQuery() {
  return pageQuery('live', ['settings', 'members'], ({ signal }) => fetchMembers({ signal }))
}

/** The user's own API tokens. */
export function apiTokensQuery() {
  return pageQuery('live', ['settings', 'tokens'], ({ signal }) => fetchApiTokens({ signal }))
}

/** The state of the installation: a live page. */
export function systemQuery() {
  return pageQuery('live', ['settings', 'system'], ({ signal }) => fetchSystem({ signal }))
}
