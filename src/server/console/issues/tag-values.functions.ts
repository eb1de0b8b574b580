import * as v from 'valibot'
import { signedInFn } from '#server/auth/session-middleware.functions.ts'
import { listTagValues } from './tag-values.ts'

const short = v.pipe(v.string(), v.maxLength(200))

/** The values of a tag that begin with a text, in the projects that the viewer has access to. */
export const fetchTagValues = signedInFn()
  .validator(v.object({ key: short, begin: short }))
  .handler(({ data, context }) => listTagValues(context.services, context.viewer, data))
