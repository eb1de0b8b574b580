import type { MonitoringConfig } from '#monitoring/config.ts'
import { canConfigure, listConfigurable, reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import type { Services } from '#server/services.ts'
import { listFailingDestinations } from '#server/store/alerts/failing-destinations.ts'
import { countUnread } from '#server/store/alerts/inbox.ts'
import type { ShellView } from './views.ts'

/** The organization of Culvert's own project. */
const organizationId = 1

/**
 * The common data of every page: the signed-in user with the number of unread items, for admins the failing
 * destinations, and where the browser reports Culvert's own errors. At most two statements.
 */
export async function getShellView(services: Services, viewer: Viewer | undefined): Promise<ShellView> {
  const monitoring = toMonitoringConfig(services)
  if (viewer === undefined) return { monitoring }
  const { db } = services.store
  const { userId, name, email, hasShortcuts, timeZone } = viewer
  const managed = listConfigurable(viewer)
  const [unread, failing] = await Promise.all([
    countUnread(db, { userId, projectIds: reachableProjects(viewer) }),
    listFailingDestinations(
      db,
      managed.map(({ organizationId: id }) => id),
    ),
  ])
  const isMailFailing = managed.length > 0 && services.mailCheck.findProblem() !== undefined
  const failingDestinations = isMailFailing ? ['mail server', ...failing] : failing
  const counted = { unreadCount: unread.count, unreadIssueIds: unread.issueIds, failingDestinations }
  const viewed = { userId, name, email, hasShortcuts, timeZone, canConfigure: canConfigure(viewer) }
  return { monitoring, viewer: { ...viewed, ...counted } }
}

/** The tunnel on this origin, by organization and project. */
function toMonitoringConfig({ env, monitoring }: Services): MonitoringConfig {
  return {
    dsn: monitoring.dsn,
    tunnel: `${env.tunnelPath}?o=${organizationId}&p=${monitoring.projectId}`,
    environment: env.environment,
  }
}
