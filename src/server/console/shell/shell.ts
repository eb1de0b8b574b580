import type { MonitoringConfig } from '#monitoring/config.ts'
import { mayConfigure, type Viewer } from '#server/auth/viewer.ts'
import type { Services } from '#server/services.ts'
import type { ShellView } from './views.ts'

/** The organization that Culvert's own project belongs to. */
const organizationId = 1

/** The common data of every page: the signed-in user, and where the browser reports Culvert's own errors. */
export function getShellView(services: Services, viewer: Viewer | undefined): ShellView {
  return {
    monitoring: toMonitoringConfig(services),
    ...(viewer !== undefined && {
      viewer: {
        userId: viewer.userId,
        name: viewer.name,
        email: viewer.email,
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
