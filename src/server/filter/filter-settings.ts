import type { NoiseRule } from '#monitoring/noise-filter.ts'
import { defaultCspSources } from './csp-sources.ts'
import type { LegacyBrowser } from './legacy-browsers.ts'
import { healthCheckTransactions } from './transaction-names.ts'

/** The filter settings of a project, as plain data to be stored. An empty list disables the filter. */
export interface FilterSettings {
  readonly noise: Readonly<Record<NoiseRule, boolean>>
  /** Texts within the messages of ignored errors, in addition to the built-in list. */
  readonly ignoreErrors: readonly string[]
  readonly chunkLoadErrors: boolean
  readonly reactHydrationErrors: boolean
  /** Origin patterns of ignored CSP reports. */
  readonly cspSources: readonly string[]
  /** IPv4 and IPv6 addresses and CIDR blocks; other values are ignored. */
  readonly clientAddresses: readonly string[]
  /** Globs. */
  readonly releases: readonly string[]
  /** Globs for the message, and for an exception's `type`, `value` and `type: value`. */
  readonly errorMessages: readonly string[]
  readonly localhost: boolean
  readonly browserExtensions: boolean
  readonly legacyBrowsers: readonly LegacyBrowser[]
  readonly webCrawlers: boolean
  /** Globs for the names of transactions. */
  readonly transactions: readonly string[]
}

/**
 * Everything is enabled except localhost, like in a new project of Sentry (project creation,
 * `set_default_inbound_filters`).
 */
export const defaultFilterSettings: FilterSettings = {
  noise: {
    'ignored-error': true,
    'not-found-transaction': true,
    'redirect-error': true,
    'incomplete-transaction': true,
  },
  ignoreErrors: [],
  chunkLoadErrors: true,
  reactHydrationErrors: true,
  cspSources: defaultCspSources,
  clientAddresses: [],
  releases: [],
  errorMessages: [],
  localhost: false,
  browserExtensions: true,
  legacyBrowsers: ['ie', 'edge', 'safari', 'firefox', 'chrome', 'opera', 'opera_mini', 'android'],
  webCrawlers: true,
  transactions: healthCheckTransactions,
}
