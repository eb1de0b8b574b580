import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { signedIn } from '#server/auth/access.functions.ts'
import { getGeneralView } from './project/general.ts'
import { getGroupingView } from './project/grouping.ts'
import { getInboundView } from './project/inbound.ts'
import { getKeysView } from './project/keys.ts'
import { getLimitsView } from './project/limits.ts'
import { getMembersOfProject } from './project/members.ts'
import { getNewProjectView } from './project/new-project.ts'
import { getScrubbingView } from './project/scrubbing.ts'
import { getSetupView } from './project/setup.ts'
import { getSourceMapsView } from './project/source-maps.ts'
import { getUpstreamsView } from './project/upstreams.ts'
import { projectPageSearch } from './projects.search.ts'

const projectSlug = v.object({ slug: v.pipe(v.string(), v.maxLength(100)) })

/** What a project is called; not found where the viewer reaches none of that slug. So are the other pages of it. */
export const fetchProjectGeneral = createServerFn({ method: 'GET' })
  .middleware([signedIn])
  .validator(projectSlug)
  .handler(({ data, context }) => getGeneralView(context.services, context.viewer, data.slug))

/** The keys of a project. */
export const fetchProjectKeys = createServerFn({ method: 'GET' })
  .middleware([signedIn])
  .validator(projectSlug)
  .handler(({ data, context }) => getKeysView(context.services, context.viewer, data.slug))

/** The filters and origins of a project, with what they did lately. */
export const fetchProjectInbound = createServerFn({ method: 'GET' })
  .middleware([signedIn])
  .validator(projectSlug)
  .handler(({ data, context }) => getInboundView(context.services, context.viewer, data.slug))

/** The grouping rules of a project, and what they would do to an event. */
export const fetchProjectGrouping = createServerFn({ method: 'GET' })
  .middleware([signedIn])
  .validator(projectSlug)
  .handler(({ data, context }) => getGroupingView(context.services, context.viewer, data.slug))

/** Where what a project gets is sent on to. */
export const fetchProjectUpstreams = createServerFn({ method: 'GET' })
  .middleware([signedIn])
  .validator(projectSlug)
  .handler(({ data, context }) => getUpstreamsView(context.services, context.viewer, data.slug))

/** The scrubbing of a project, and what it would do to an event. */
export const fetchProjectScrubbing = createServerFn({ method: 'GET' })
  .middleware([signedIn])
  .validator(projectSlug)
  .handler(({ data, context }) => getScrubbingView(context.services, context.viewer, data.slug))

/** How much a project may get and keep. */
export const fetchProjectLimits = createServerFn({ method: 'GET' })
  .middleware([signedIn])
  .validator(projectSlug)
  .handler(({ data, context }) => getLimitsView(context.services, context.viewer, data.slug))

/** What source maps of a project were uploaded. */
export const fetchProjectSourceMaps = createServerFn({ method: 'GET' })
  .middleware([signedIn])
  .validator(v.object({ ...projectSlug.entries, release: projectPageSearch.entries.release }))
  .handler(({ data, context }) => getSourceMapsView(context.services, context.viewer, data))

/** Who reaches a project. */
export const fetchProjectMembers = createServerFn({ method: 'GET' })
  .middleware([signedIn])
  .validator(projectSlug)
  .handler(({ data, context }) => getMembersOfProject(context.services, context.viewer, data.slug))

/** How to point an SDK at a project, and whether something has come. */
export const fetchProjectSetup = createServerFn({ method: 'GET' })
  .middleware([signedIn])
  .validator(projectSlug)
  .handler(({ data, context }) => getSetupView(context.services, context.viewer, data.slug))

/** Where one can make a project, and who could reach it. */
export const fetchNewProject = createServerFn({ method: 'GET' })
  .middleware([signedIn])
  .handler(({ context }) => getNewProjectView(context.services, context.viewer))
