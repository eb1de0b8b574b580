import * as v from 'valibot'
import { signedInFn } from '#server/auth/session-middleware.functions.ts'
import { orNotFound } from '#server/router.ts'
import { findGuideView } from './guides.ts'

/** A guide, or the index without a name. Not found if there is no such guide. */
export const fetchGuide = signedInFn()
  .validator(v.object({ name: v.optional(v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,60}$/))) }))
  .handler(({ data }) => orNotFound(Promise.resolve(findGuideView(data.name))))
