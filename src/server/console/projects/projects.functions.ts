import * as v from 'valibot'
import { signedInFn } from '#server/auth/session-middleware.functions.ts'
import { projectListSearch } from './projects.search.ts'
import { listProjectView } from './projects.ts'

/** Every project with its DSN and recently received items. */
export const fetchProjectList = signedInFn()
  .validator(v.optional(projectListSearch))
  .handler(({ data, context }) => listProjectView(context.services, context.viewer, data?.period))
