/** Which organization of Sentry's own service an ingest host belongs to, and in which region. */
export interface SaasHost {
  /** Decimal digits. */
  organization: string
  /** Two lower-case letters; absent for hosts without a region. */
  region?: string
}

const shape = /^o(\d{1,20})\.ingest(?:\.([a-z]{2}))?\.sentry\.io$/

/**
 * Reads `o4507.ingest.us.sentry.io`; undefined for every other host. From such a DSN, and from no other,
 * `@sentry/nextjs` makes the `o`, `p` and `r` of a tunnel's address.
 */
export function parseSaasHost(host: string): SaasHost | undefined {
  const [, organization, region] = shape.exec(host) ?? []
  return organization === undefined ? undefined : { organization, region }
}
