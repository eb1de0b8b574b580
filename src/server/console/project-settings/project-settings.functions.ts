import * as v from 'valibot'
import { signedInFn } from '#server/auth/session-middleware.functions.ts'
import { orNotFound } from '#server/router.ts'
import { getNewProjectView } from './new-project.ts'
import { findProjectPageView } from './pages.ts'

const projectPageInput = v.object({
  page: v.pipe(v.string(), v.maxLength(100)),
  slug: v.pipe(v.string(), v.maxLength(100)),
  release: v.optional(v.string()),
})

/** A page of a project's settings. Not found if the viewer has no access to it. */
export const fetchProjectPage = signedInFn()
  .validator(projectPageInput)
  .handler(({ data, context }) => orNotFound(findProjectPageView(context.services, context.viewer, data)))

/** The organizations in which the viewer can create projects. */
export const fetchNewProject = signedInFn().handler(({ context }) =>
  getNewProjectView(context.services, context.viewer),
)
