import type { Permission } from '#server/auth/roles.ts'
import { projectsWith, type Viewer } from '#server/auth/viewer.ts'
import type { Services } from '#server/services.ts'
import { alertsPage } from './alerts.ts'
import { dangerPage } from './danger.ts'
import { generalPage } from './general.ts'
import { groupingPage } from './grouping.ts'
import { inboundPage } from './inbound.ts'
import { keysPage } from './keys.ts'
import { limitsPage } from './limits.ts'
import { membersPage } from './members.ts'
import { ownershipPage } from './ownership.ts'
import { findProjectPage } from './page.ts'
import type { ProjectPageInput } from './project-page.ts'
import { scrubbingPage } from './scrubbing.ts'
import { setupPage } from './setup.ts'
import { sourceMapsPage } from './source-maps.ts'
import { upstreamsPage } from './upstreams.ts'

/** The pages of a project's settings, in the order of the navigation. */
export const projectPages = {
  general: generalPage,
  setup: setupPage,
  keys: keysPage,
  inbound: inboundPage,
  scrubbing: scrubbingPage,
  grouping: groupingPage,
  alerts: alertsPage,
  upstreams: upstreamsPage,
  'source-maps': sourceMapsPage,
  ownership: ownershipPage,
  limits: limitsPage,
  members: membersPage,
  danger: dangerPage,
}

type ProjectPageName = keyof typeof projectPages

/** Users who may not configure the project see nothing on these that they could change. */
const pagesWithoutSettings: ReadonlySet<ProjectPageName> = new Set(['general', 'setup', 'members'])

/** The view of a page; undefined without access to it or the project, or if there is no such page. */
export async function findProjectPageView(
  services: Services,
  viewer: Viewer,
  { page, slug, release }: ProjectPageInput & { page: string },
) {
  if (!isPageName(page)) return undefined
  const found = await findProjectPage(services, viewer, slug)
  if (found === undefined) return undefined
  const isAllowed = (permission: Permission) => projectsWith(viewer, permission).includes(found.project.id)
  const openPages = Object.values(projectPages)
    .filter(({ permission }) => isAllowed(permission))
    .map((open) => ({ page: open.page, title: open.title }))
  if (!openPages.some((open) => open.page === page)) return undefined
  const { view } = projectPages[page]
  return {
    ...found.view,
    openPages,
    isReadOnly: !found.view.canConfigure && !pagesWithoutSettings.has(page),
    ...(await view({ services, viewer, ...found, release })),
  }
}

function isPageName(page: string): page is ProjectPageName {
  return Object.hasOwn(projectPages, page)
}
