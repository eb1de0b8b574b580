import {
  BrowserClient,
  breadcrumbsIntegration,
  defaultStackParser,
  eventFiltersIntegration,
  functionToStringIntegration,
  getCurrentScope,
  globalHandlersIntegration,
  httpContextIntegration,
  linkedErrorsIntegration,
  makeFetchTransport,
} from '@sentry/tanstackstart-react'
import type { MonitoringConfig } from './config.ts'
import { dedupeExcept } from './dedupe.ts'
import { removeLinkTokens } from './link-tokens.ts'
import { findNoise } from './noise-filter.ts'
import { release } from './release.ts'

/** Marks errors that Culvert captures itself: each has a digest, which a page may show. */
export const ownMechanism = 'culvert.browser'

/**
 * Starts error reporting in the browser: a client assembled by hand, since the SDK's `init` adds 60 kB (gzip)
 * of unused code. Loaded after the page is interactive. Noise stays in the browser; the SDK's client reports
 * count it.
 */
export function startClientSdk(config: MonitoringConfig): BrowserClient {
  const client = new BrowserClient({
    dsn: config.dsn,
    tunnel: config.tunnel,
    environment: config.environment,
    release,
    transport: makeFetchTransport,
    stackParser: defaultStackParser,
    sendClientReports: true,
    beforeSend(event, { originalException }) {
      if (findNoise(event, { originalException }) !== undefined) return null
      removeLinkTokens(event)
      return event
    },
    integrations: [
      eventFiltersIntegration(),
      functionToStringIntegration(),
      globalHandlersIntegration(),
      breadcrumbsIntegration(),
      linkedErrorsIntegration(),
      dedupeExcept(ownMechanism),
      httpContextIntegration(),
    ],
  })
  getCurrentScope().setClient(client)
  client.init()
  return client
}
