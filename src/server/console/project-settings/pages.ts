import type { Viewer } from '#server/auth/viewer.ts'
import type { Services } from '#server/services.ts'
import { dangerPage } from './danger.ts'
import { generalPage } from './general.ts'
import { groupingPage } from './grouping.ts'
import { inboundPage } from './inbound.ts'
import { keysPage } from './keys.ts'
import { limitsPage } from './limits.ts'
import { membersPage } from './members.ts'
import type { ProjectPageName } from './page-names.ts'
import { findProjectPage } from './page.ts'
import type { ProjectPageInput } from './project-page.ts'
import { scrubbingPage } from './scrubbing.ts'
import { setupPage } from './setup.ts'
import { sourceMapsPage } from './source-maps.ts'
import { upstreamsPage } from './upstreams.ts'

/** The pages of a project's settings, each defined once: what it shows, and its forms. */
export const projectPages = {
  general: generalPage,
  setup: setupPage,
  keys: keysPage,
  inbound: inboundPage,
  scrubbing: scrubbingPage,
  grouping: groupingPage,
  upstreams: upstreamsPage,
  'source-maps': sourceMapsPage,
  limits: limitsPage,
  members: membersPage,
  danger: dangerPage,
} satisfies Record<ProjectPageName, unknown>

/**
 * What a page of a project shows; undefined where the viewer cannot open the page, or a project of that slug.
 */
export async function findProjectPageView(
  services: Services,
  viewer: Viewer,
  { page, slug, release }: ProjectPageInput & { page: keyof typeof projectPages },
) {
  const found = await findProjectPage(services, viewer, slug)
  if (found === undefined || !found.view.openPages.includes(page)) return undefined
  return projectPages[page].view({ services, viewer, ...found, release })
}
