import * as v from 'valibot'
import { signedInFn } from '#server/auth/session-middleware.functions.ts'
import { orNotFound } from '#server/router.ts'
import { releaseListSearch, releaseSearch } from './releases.search.ts'
import { findReleaseView, listReleaseView } from './releases.ts'

/** The releases under the filters of the URL. */
export const fetchReleaseList = signedInFn()
  .validator(releaseListSearch)
  .handler(({ data, context }) => listReleaseView(context.services, context.viewer, data))

/** One release with its new issues. Not found if no accessible project has it. */
export const fetchRelease = signedInFn()
  .validator(
    v.object({
      version: v.pipe(v.string(), v.maxLength(250)),
      ...releaseSearch.entries,
    }),
  )
  .handler(({ data, context }) => orNotFound(findReleaseView(context.services, context.viewer, data)))
