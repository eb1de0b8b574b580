import * as v from 'valibot'
import { orAbsent, searchText } from '#server/console/parameters.search.ts'

const path = v.pipe(v.string(), v.maxLength(2_000))

/** The URL of `/login`: the target page, the step, and why the provider's response was rejected. */
export const loginSearch = v.object({
  to: orAbsent(path),
  step: orAbsent(v.picklist(['code', 'expired', 'provider-failed', 'new-password', 'link-sent'])),
  error: orAbsent(
    v.picklist([
      'provider_unavailable',
      'signup_disabled',
      'account_not_linked',
      'other_identity',
      'email_not_found',
      'access_denied',
    ]),
  ),
})

/** The URL of `/setup`. */
export const setupSearch = v.object({ token: orAbsent(searchText) })
