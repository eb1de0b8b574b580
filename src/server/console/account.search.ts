import * as v from 'valibot'
import { orAbsent, searchText } from './parameters.search.ts'

const path = v.pipe(v.string(), v.maxLength(2_000))

/** The URL of `/login`: where to go afterwards, and how far signing in has come. */
export const loginSearch = v.object({
  to: orAbsent(path),
  step: orAbsent(v.picklist(['code', 'provider-failed', 'new-password'])),
})

/** The URL of `/setup`. */
export const setupSearch = v.object({ token: orAbsent(searchText) })

/** The URL of `/settings`: what was just changed there. */
export const settingsSearch = v.object({
  done: orAbsent(v.picklist(['password', 'two-factor', 'no-two-factor', 'shortcuts'])),
})
