/** The organization and region of an ingest host of Sentry's own service. */
export interface SaasHost {
  /** Decimal digits. */
  organization: string
  /** Two lower-case letters; absent for hosts without a region. */
  region?: string
}

const shape = /^o(\d{1,20})\.ingest(?:\.([a-z]{2}))?\.sentry\.io$/

/**
 * Reads `o4507.ingest.us.sentry.io`; undefined for every other host. `@sentry/nextjs` derives the parameters
 * `o`, `p` and `r` of a tunnel URL only from such a DSN.
 */
export function parseSaasHost(host: string): SaasHost | undefined {
  const [, organization, region] = shape.exec(host) ?? []
  return organization === undefined ? undefined : { organization, region }
}
