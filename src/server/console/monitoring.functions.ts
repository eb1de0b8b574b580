import { createServerFn } from '@tanstack/react-start'
import { getMonitoringConfig } from './monitoring.ts'

/** Where the browser reports Culvert's own errors. */
export const fetchMonitoringConfig = createServerFn({ method: 'GET' }).handler(({ context }) =>
  getMonitoringConfig(context.services),
)
