/** The settings with which the browser reports Culvert's own errors. */
export interface MonitoringConfig {
  dsn: string
  /** Path and query of the tunnel on this origin. */
  tunnel: string
  environment: string
}
