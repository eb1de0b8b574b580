import type { MonitoringConfig } from '#monitoring/config.ts'
import type { Services } from '#server/services.ts'
import { appConfig } from '../../../app.config.ts'

/** The organization that all projects of an installation belong to. */
const organizationId = 1

/** Where the browser reports Culvert's own errors: the tunnel on this origin, by organization and project. */
export function getMonitoringConfig({ env, monitoring }: Services): MonitoringConfig {
  return {
    dsn: monitoring.dsn,
    tunnel: `${appConfig.tunnelPath}?o=${organizationId}&p=${monitoring.projectId}`,
    environment: env.environment,
  }
}
