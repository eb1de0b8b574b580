import { defaultCspSources } from './csp-sources.ts'
import type { FilterReason } from './filter-reason.ts'
import { defaultFilterSettings, type FilterSettings } from './filter-settings.ts'
import { healthCheckTransactions } from './transaction-names.ts'

/** The filter settings of a project, as they are stored. */
export interface ProjectFilters {
  /** Filters that differ from their defaults, by their reasons. */
  rules: { readonly [Reason in FilterReason]?: boolean }
  /** Texts within the messages of errors, in addition to the built-in ones. */
  ignoreErrors: readonly string[]
  /** Globs for messages. */
  errorMessages: readonly string[]
  /** Globs. */
  releases: readonly string[]
  /** IPv4 and IPv6 addresses and CIDR blocks. */
  clientAddresses: readonly string[]
  /** Globs, in addition to those of health checks. */
  transactions: readonly string[]
  /** Origin patterns, in addition to the built-in ones. */
  cspSources: readonly string[]
}

/** True for filters that are enabled by default: all except `localhost`. */
export function isOnByDefault(reason: FilterReason): boolean {
  return reason !== 'localhost'
}

/** The filter settings including defaults. */
export function toFilterSettings(filters: ProjectFilters): FilterSettings {
  const isOn = (reason: FilterReason) => filters.rules[reason] ?? isOnByDefault(reason)
  const listOf = (reason: FilterReason, list: readonly string[]) => (isOn(reason) ? list : [])
  return {
    noise: {
      'ignored-error': isOn('ignored-error'),
      'not-found-transaction': isOn('not-found-transaction'),
      'redirect-error': isOn('redirect-error'),
      'incomplete-transaction': isOn('incomplete-transaction'),
    },
    ignoreErrors: filters.ignoreErrors,
    chunkLoadErrors: isOn('chunk-load-error'),
    reactHydrationErrors: isOn('react-hydration-errors'),
    cspSources: listOf('invalid-csp', [...defaultCspSources, ...filters.cspSources]),
    clientAddresses: listOf('ip-address', filters.clientAddresses),
    releases: listOf('release-version', filters.releases),
    errorMessages: listOf('error-message', filters.errorMessages),
    localhost: isOn('localhost'),
    browserExtensions: isOn('browser-extensions'),
    legacyBrowsers: isOn('legacy-browsers') ? defaultFilterSettings.legacyBrowsers : [],
    webCrawlers: isOn('web-crawlers'),
    transactions: listOf('filtered-transaction', [...healthCheckTransactions, ...filters.transactions]),
  }
}
