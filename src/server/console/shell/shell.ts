import type { MonitoringConfig } from '#monitoring/config.ts'
import { mayConfigure, reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import type { Services } from '#server/services.ts'
import { countUnread } from '#server/store/alerts/inbox.ts'
import type { ShellView } from './views.ts'

/** The organization that Culvert's own project belongs to. */
const organizationId = 1

/**
 * The common data of every page: the signed-in user with the number of unread items, and where the browser
 * reports Culvert's own errors. One statement.
 */
export async function getShellView(services: Services, viewer: Viewer | undefined): Promise<ShellView> {
  return {
    monitoring: toMonitoringConfig(services),
    ...(viewer !== undefined && {
      viewer: {
        userId: viewer.userId,
        name: viewer.name,
        email: viewer.email,
        unreadCount: await countUnread(services.store.db, {
          userId: viewer.userId,
          projectIds: reachableProjects(viewer),
        }),
        hasShortcuts: viewer.hasShortcuts,
        timeZone: viewer.timeZone,
        mayConfigure: mayConfigure(viewer),
      },
    }),
  }
}

/** The tunnel on this origin, by organization and project. */
function toMonitoringConfig({ env, monitoring }: Services): MonitoringConfig {
  return {
    dsn: monitoring.dsn,
    tunnel: `${env.tunnelPath}?o=${organizationId}&p=${monitoring.projectId}`,
    environment: env.environment,
  }
}
