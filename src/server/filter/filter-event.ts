import { findNoise } from '#monitoring/noise-filter.ts'
import { isOnServer } from '#server/normalize/server-runtime.ts'
import { isFromBrowserExtension } from './browser-extensions.ts'
import { isChunkLoadError } from './chunk-load-errors.ts'
import { isBlockedAddress } from './client-addresses.ts'
import type { CompiledFilters } from './compile-filters.ts'
import { hasFilteredMessage } from './error-messages.ts'
import type { FilterReason } from './filter-reason.ts'
import { type FilterContext, type FilterSubject, findUserAgent } from './filter-subject.ts'
import { isInvalidCsp } from './invalid-csp.ts'
import { isLegacyBrowser } from './legacy-browsers.ts'
import { isFromLocalhost } from './localhost.ts'
import { isReactHydrationError } from './react-hydration-errors.ts'
import { isFilteredTransaction } from './transaction-names.ts'
import { isWebCrawler } from './web-crawlers.ts'

/**
 * Returns the reason why a project filters an event; undefined if the event is stored.
 *
 * The noise rules run first, because they are the most specific; then Relay's filters in Relay's order
 * (generic ones, CSP, address, release, message, localhost, extensions, legacy browsers, crawlers,
 * transaction names). The first match determines the reason. A filtered event is answered 200 and counted as
 * outcome `filtered` under this reason.
 */
export function filterEvent(
  subject: FilterSubject,
  filters: CompiledFilters,
  context: FilterContext,
): FilterReason | undefined {
  const { settings } = filters
  return (
    findNoise(context.raw, { rules: settings.noise, ignoreErrors: settings.ignoreErrors }) ??
    findByContent(subject, filters) ??
    findByProjectPattern({ subject, filters, context }) ??
    findByOrigin({ subject, filters, context })
  )
}

function findByContent(
  subject: FilterSubject,
  { settings, cspSources }: CompiledFilters,
): FilterReason | undefined {
  if (settings.chunkLoadErrors && isChunkLoadError(subject)) return 'chunk-load-error'
  if (settings.reactHydrationErrors && isReactHydrationError(subject)) return 'react-hydration-errors'
  if (isInvalidCsp(subject, cspSources)) return 'invalid-csp'
  return undefined
}

interface Question {
  subject: FilterSubject
  filters: CompiledFilters
  context: FilterContext
}

function findByProjectPattern({ subject, filters, context }: Question): FilterReason | undefined {
  if (isBlockedAddress(context.clientAddress, filters.clientAddresses)) return 'ip-address'
  if (subject.release !== undefined && filters.releases.matches(subject.release)) return 'release-version'
  if (hasFilteredMessage(subject, filters.errorMessages)) return 'error-message'
  return undefined
}

function findByOrigin({ subject, filters, context }: Question): FilterReason | undefined {
  const { settings } = filters
  if (settings.localhost && isFromLocalhost(subject)) return 'localhost'
  if (settings.browserExtensions && isFromBrowserExtension(subject)) return 'browser-extensions'
  const userAgent = findUserAgent(subject, context)
  if (userAgent !== undefined) {
    if (canRunInBrowser(subject) && isLegacyBrowser(userAgent, filters.legacyBrowsers)) {
      return 'legacy-browsers'
    }
    if (settings.webCrawlers && isWebCrawler(userAgent)) return 'web-crawlers'
  }
  return isFilteredTransaction(subject, filters.transactions) ? 'filtered-transaction' : undefined
}

/** Only for browser events: in a server's event the user agent is that of the visitor's request. */
function canRunInBrowser({ platform, contexts }: FilterSubject): boolean {
  if (isOnServer(contexts)) return false
  return platform === undefined || platform === 'javascript' || platform === 'other'
}
